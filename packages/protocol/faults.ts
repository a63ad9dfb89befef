import { faultTable } from "@hookpkg/fault";

/** What a registry answers, with its HTTP status: part of the contract, so both ends share the codes. */
export const ANSWERED = {
  E_REGISTRY_NOT_FOUND: { status: 404, sentence: "the registry has nothing under this address" },
  E_REGISTRY_CONFLICT: {
    status: 409,
    sentence: "something else was published here before, and nothing published ever changes",
  },
  E_REGISTRY_BODY_TOO_LARGE: { status: 413, sentence: "the body is larger than the registry takes" },
  E_REGISTRY_MEDIA_TYPE: { status: 415, sentence: "the registry does not take this content type here" },
  E_REGISTRY_REQUEST: { status: 422, sentence: "the request is not what the registry's contract says" },
  E_REGISTRY_DIGEST: { status: 422, sentence: "the bytes have another digest than the address says" },
  E_REGISTRY_NO_BLOB: { status: 422, sentence: "the archive named by the statement was not uploaded" },
  E_REGISTRY_STATEMENT: { status: 422, sentence: "the statement says something else than the archive shows" },
  E_REGISTRY_ADDRESS: { status: 422, sentence: "the statement is about something else than the address" },
  E_REGISTRY_LOOKALIKE: { status: 409, sentence: "the name looks like one that is already taken" },
  E_REGISTRY_NO_SCOPE: { status: 422, sentence: "the scope was never claimed" },
  E_REGISTRY_PREVIOUS: {
    status: 422,
    sentence: "the statement names another previous version than the registry holds",
  },
  E_REGISTRY_TIMEOUT_BODY: { status: 408, sentence: "the upload took too long" },
  E_REGISTRY_INTERNAL: { status: 500, sentence: "the registry failed" },
  E_REGISTRY_STOPPING: { status: 503, sentence: "the registry is stopping" },
} as const;

export type AnsweredCode = keyof typeof ANSWERED;

const NOTICED = {
  E_REGISTRY_URL: "this is not the address of a registry",
  E_REGISTRY_UNREACHABLE: "the registry can't be reached",
  E_REGISTRY_TIMEOUT: "the registry took too long",
  E_REGISTRY_TOO_LARGE: "the registry sent more than it may",
  E_REGISTRY_TRUNCATED: "the registry's answer broke off",
  E_REGISTRY_REDIRECT: "the registry sent us elsewhere, which is never followed",
  E_REGISTRY_CONTENT_TYPE: "the answer is not of a registry's kind; a proxy or another server may have answered",
  E_REGISTRY_ANSWER: "the registry's answer is not what the contract says",
  E_REGISTRY_BLOB: "the registry sent other bytes than were asked for",
  E_REGISTRY_REFUSED: "the registry refused",
} as const;

const sentences = Object.fromEntries(Object.entries(ANSWERED).map(([code, { sentence }]) => [code, sentence]));

/** Codes a registry answers (`ANSWERED`) and codes its client finds by itself. */
export const refuse = faultTable({ ...(sentences as Record<AnsweredCode, string>), ...NOTICED });

export function isAnswered(code: string): code is AnsweredCode {
  return Object.hasOwn(ANSWERED, code);
}
