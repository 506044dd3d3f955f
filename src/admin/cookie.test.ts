import { expect, test } from "vitest";
import { hasChanged, oidcAttemptOf, sessionTokenOf } from "./cookie.ts";

const [A, B] = ["a".repeat(43), "b".repeat(43)];

test("the session's token is the first well-formed one of its name, wherever it stands", () => {
  for (const header of [
    `pointkeeper_session=${A}`,
    `theme=dark;   pointkeeper_session=${A} ; x=y`,
    `pointkeeper_session=short; pointkeeper_session=${A}; pointkeeper_session=${B}`,
    `other_pointkeeper_session=${B}; x=pointkeeper_session=${B}; pointkeeper_session=${A}`,
  ])
    expect(sessionTokenOf(header)).toBe(A);
});

test("there is none in a header of another kind", () => {
  for (const header of [undefined, "", ";".repeat(1_000), "pointkeeper_session", `other_pointkeeper_session=${A}`])
    expect(sessionTokenOf(header)).toBeNull();
  expect(sessionTokenOf(`pointkeeper_session=${A}${A}`)).toBeNull();
});

test("the other cookies are found alike", () => {
  expect(hasChanged("a=1; pointkeeper_changed=1")).toBe(true);
  expect(hasChanged("pointkeeper_changed=12; a_pointkeeper_changed=1")).toBe(false);
  expect(oidcAttemptOf(`pointkeeper_oidc=; pointkeeper_oidc=${A}${A}`)).toBe(A + A);
});
