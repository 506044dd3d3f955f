import { expect, test } from "vitest";
import { readArchiveId } from "./archive-id.ts";

/** An archive whose id cannot be read for a reason. */
const unreadable = (code: string) => ({ read: () => Promise.reject(Object.assign(new Error(code), { code })) });

test("an id that only its former user may read is none, so that the newest segment decides", async () => {
  for (const code of ["EACCES", "EPERM"]) expect(await readArchiveId(unreadable(code))).toBeNull();
  await expect(readArchiveId(unreadable("EIO"))).rejects.toThrow("EIO");
});
