import { faultTable } from "@hookpkg/fault";

export const refuse = faultTable({
  E_CLOSURE_PATH_TWICE: "two files of one package have the same path",
  E_CLOSURE_SIZE: "a file's size is not a whole number of bytes",
});
