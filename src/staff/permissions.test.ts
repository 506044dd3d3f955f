import { expect, test } from "vitest";
import { ROLES } from "../wire/access.ts";
import { can, PERMISSIONS, permissionsOf } from "./permissions.ts";

test("each role may what those below it may, and an owner everything", () => {
  expect(permissionsOf("owner")).toEqual(PERMISSIONS);
  for (const [i, role] of ROLES.entries()) {
    for (const below of ROLES.slice(i))
      expect(permissionsOf(role)).toEqual(expect.arrayContaining(permissionsOf(below)));
  }
  expect(permissionsOf("viewer")).toEqual(["view"]);
});

test("people and credentials are the owner's, the program the manager's, points the support's", () => {
  const least = (permission: (typeof PERMISSIONS)[number]) => ROLES.findLast((role) => can(role, permission));
  expect([least("people.manage"), least("credentials.manage")]).toEqual(["owner", "owner"]);
  expect([least("program.change"), least("audit.view"), least("adjustments.approve")]).toEqual([
    "manager",
    "manager",
    "manager",
  ]);
  expect([least("points.adjust"), least("tiers.place")]).toEqual(["support", "support"]);
});
