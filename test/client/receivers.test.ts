import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ALL_LANGUAGES, isInstalled, takesEmptyKey } from "../support/document-receivers.ts";
import { runReceiver } from "../support/receiver-story.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pointkeeper-receivers-"));
  service = await startTestService({ now: Temporal.Now.instant().toString() });
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The languages that are on every machine with this project, and those of POINTKEEPER_TEST_RECEIVERS (npm run test:receivers: all). */
const named = process.env["POINTKEEPER_TEST_RECEIVERS"];
const languages = ALL_LANGUAGES.filter((language) => language === "node" || (named === "all" && isInstalled(language)));

test("the receivers of docs/receivers.md take what is genuine and nothing else", { timeout: 300_000 }, async () => {
  for (const language of languages) {
    const result = await runReceiver(language, folder, service);
    const { delivered, genuine, ...refused } = result;
    expect({ language, delivered, genuine }).toEqual({ language, delivered: [200, 200], genuine: 200 });
    expect({ language, isTaken: await takesEmptyKey(language, folder) }).toEqual({ language, isTaken: false });
    expect({ language, statuses: new Set(Object.values(refused)) }).toEqual({ language, statuses: new Set([401]) });
  }
  expect(languages).toContain("node");
  process.stdout.write(`receivers that ran: ${languages.join(", ")}\n`);
});
