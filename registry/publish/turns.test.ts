import { expect, test } from "bun:test";
import { turns } from "./turns.ts";

test("never more than allowed at once, all of them in order, also after failures", async () => {
  const { inTurn } = turns(2);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (n: number) => async () => {
    most = Math.max(most, ++running);
    order.push(n);
    await Bun.sleep(n % 3);
    running--;
    if (n % 4 === 0) throw new Error("failed");
  };
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => inTurn(work(n))));
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(5);
  expect(running).toBe(0);
});
