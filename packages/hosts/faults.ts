import { faultTable } from "@hookpkg/fault";

export const refuse = faultTable({
  E_HOST_NOT_JSON: "what the host sent is not one JSON object",
  E_HOST_TOO_LARGE: "what the host sent is too large or nested too deeply",
  E_HOST_EVENT_NAME: "what the host sent names no event",
  E_HOST_FIELD: "a field of the host's event is missing or has a value that it cannot have",
  E_SETTINGS_PARSE: "the host's settings file does not parse as that host reads it",
  E_SETTINGS_FORM: "the host's settings file has another form than the host knows",
  E_SETTINGS_EDIT: "the host's settings file could not be edited without changing more",
});
