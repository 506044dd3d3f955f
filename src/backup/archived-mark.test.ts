import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logLag, readArchivedMark, writeArchivedMark } from "./archived-mark.ts";

const closedAt = Temporal.Instant.from("2026-03-01T09:00:00Z");
const MB_16 = 2n ** 24n;
// segment 0x01 of log 0x02 ends at 0x202 times 16 MB
const archive = "0d1f3c9e-7a3b-4f51-9c65-2f1a8e1b7c44";
const mark = { segment: "000000010000000200000001", closedAt, dir: '/mnt/of "the shop"/log/77', archive };
const end = 0x202n * MB_16;

test("the lag is counted from the end of the newest archived segment and the time at which it was closed", () => {
  const now = closedAt.add({ seconds: 90 });
  expect(logLag(mark, { written: end + 5_000n, now, upSeconds: 3_600n })).toEqual({
    seconds: 90,
    bytes: 5_000,
    servedSeconds: 90,
  });
  expect(logLag(mark, { written: end + MB_16, now, upSeconds: 7n })).toMatchObject({ seconds: 90, servedSeconds: 7 });
});

test("without a mark, or with one of another server, there is no figure", () => {
  const position = { written: end - 1n, now: closedAt, upSeconds: 1n };
  expect(logLag(null, position)).toBeNull();
  expect(logLag(mark, position)).toBeNull();
});

test("the mark is read as it was written; a damaged file is none", async () => {
  const home = await mkdtemp(join(tmpdir(), "pointkeeper-mark-"));
  try {
    expect(await readArchivedMark(home)).toBeNull();
    await writeArchivedMark(home, mark);
    expect(await readArchivedMark(home)).toEqual(mark);
    await writeArchivedMark(home, { ...mark, archive: null });
    expect(await readArchivedMark(home)).toEqual({ ...mark, archive: null });
    const ofEarlier = `{"segment":"${mark.segment}","closed_at":"${closedAt}"}`;
    await writeFile(join(home, "log-archived.json"), ofEarlier);
    expect(await readArchivedMark(home)).toEqual({ ...mark, dir: null, archive: null });
    await writeFile(join(home, "log-archived.json"), '{"segment":"0000');
    expect(await readArchivedMark(home)).toBeNull();
  } finally {
    await rm(home, { recursive: true });
  }
});
