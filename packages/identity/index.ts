export { type ClosureFile, closureOf, isClosureFile, isDeclaration, type PackageKind } from "./closure.ts";
export { type Change, type ChangedField, covers, diffNormalForms } from "./diff.ts";
export { type HandlerIdentity, identitiesOf, identityOf, normalForm, type Surroundings } from "./normal-form.ts";
