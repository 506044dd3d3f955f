import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { knownSilence, whileAnswering } from "../file-calls.ts";
import { finishBackup, openTarget, putParts } from "./backup-target.ts";
import { openBackup } from "./open-backup.ts";
import { createDecoder, createEncoder } from "./part-coder.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pointkeeper-backups-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a backup with one part. */
async function makeBackup(path: string) {
  const target = await openTarget(path, null);
  const parts = await putParts({ target, encoder: createEncoder([]) }, "base/", Readable.from([Buffer.from("files")]));
  const base = { systemId: "7", firstSegment: "000000010000000000000001", parts };
  await finishBackup(target, {
    kind: "physical",
    ...{ store: null, version: "1", postgres: "18.4", isEncrypted: false },
    ...{ startedAt: "2026-03-01T00:00:00Z", endedAt: "2026-03-01T00:00:00Z" },
    ...{ migrations: [], tables: [], sequences: [], base },
  });
}

test.each(["backup", "backup.tar"])(
  "what is read of %s has a limit: a share that is away ends a restore",
  async (name) => {
    const path = join(folder, name);
    await makeBackup(path);
    const decoder = await createDecoder(undefined);
    const backup = await openBackup(path, decoder, null);
    const [part] = backup.manifest.base?.parts ?? [];
    if (part === undefined) throw new Error("the backup has a part");
    expect((await backup.read(part)).toString()).toBe("files");
    const { promise, resolve } = Promise.withResolvers<void>();
    await expect(whileAnswering(path, () => promise, { waitMs: 10 })).rejects.toThrow();
    const says = /cannot be read: \S+ has not answered for 0.01 seconds.*does not mean that the backup is damaged/;
    await expect(backup.read(part)).rejects.toThrow(says);
    await expect(openBackup(path, decoder, null)).rejects.toThrow(says);
    await backup.close();
    resolve();
    await expect.poll(() => knownSilence(path)).toBe(null);
  },
);
