import fc from "fast-check";
import { expect, test } from "vitest";
import type { BackupState } from "../backup/read-backup-state.ts";
import { escapeHtml, htmlOfText } from "../mail/html-of-text.ts";
import { ALERT_KINDS, type AlertKind } from "../wire/alerts.ts";
import { LANGUAGES } from "../wire/language.ts";
import { type Alert, kindsOfStored, LATER_KINDS, storedKinds, tidyAddresses } from "./alert.ts";
import { alertMessage, alertSentence } from "./alert-text.ts";
import { type DiskRoom, type DiskState, diskNotice, lacksBackupRoom } from "./disk-room.ts";
import { type AlertAbout, findingsOf, type StoreFacts } from "./finding.ts";

const GIBIBYTE = 2 ** 30;

const BACKUP: BackupState = {
  isScheduled: true,
  isPlanned: true,
  lastDoneAt: null,
  lastDoneAgeSeconds: null,
  lastDoneBytes: null,
  lastDoneSeconds: null,
  lastError: null,
  isOverdue: false,
  waitingLog: null,
  logLag: null,
  isLogBehind: false,
};
const WELL: StoreFacts = {
  health: { receiversDead: [], jobsTroubled: [], ledgerBreaches: 0n },
  backup: BACKUP,
  largeMoves: [],
  requests: [],
  disk: null,
  backupRoom: null,
};
const TROUBLED: StoreFacts = {
  health: { receiversDead: [{ uid: "r1", topic: "t" }], jobsTroubled: ["expire points"], ledgerBreaches: 2n },
  backup: { ...BACKUP, lastError: "no space" },
  largeMoves: [{ staffUid: "s1", name: "Hana", points: 9n }],
  requests: [{ uid: "q1", kind: "import", name: "Ken", points: 7n }],
  disk: diskNotice({ freeBytes: 4.96 * GIBIBYTE, sizeBytes: 40 * GIBIBYTE, freeFiles: null }),
  backupRoom: null,
};

test("a store that is well has no findings; each trouble is one, of its kind, if that was chosen", () => {
  expect(findingsOf(WELL, ALERT_KINDS)).toEqual([]);
  expect(new Set(findingsOf(TROUBLED, ALERT_KINDS).map(({ kind }) => kind))).toEqual(new Set(ALERT_KINDS));
  for (const kind of ALERT_KINDS) expect(findingsOf(TROUBLED, [kind])).toHaveLength(1);
  expect(findingsOf({ ...TROUBLED, backup: { ...TROUBLED.backup, isScheduled: false } }, ["backup_old"])).toEqual([]);
  const jobsTroubled = Array.from({ length: 500 }, (_, n) => `job ${n}`);
  expect(findingsOf({ ...WELL, health: { ...WELL.health, jobsTroubled } }, ALERT_KINDS)).toHaveLength(200);
});

test("every finding has a sentence in both languages, whatever its names are", () => {
  const name = fc.string({ unit: "binary", maxLength: 300 });
  fc.assert(
    fc.property(name, fc.constantFrom(...ALERT_KINDS), fc.constantFrom(...LANGUAGES), (text, kind, language) => {
      const sentence = alertSentence({ kind, about: { name: text, count: 3, state: "import" } }, language);
      expect(sentence).not.toMatch(/undefined|\p{Cc}/u);
      expect(sentence.length).toBeLessThan(300);
    }),
  );
});

test("topics, jobs and requests have the names of the pages, and a request without points says none", () => {
  const say = (kind: AlertKind, about: AlertAbout) => alertSentence({ kind, about }, "ja");
  expect(say("receiver_dead", { name: "point_balance/update" })).toContain("「会員のポイント残高の変更」");
  expect(say("job_troubled", { name: "expire points" })).toContain("「ポイントの失効」");
  expect(say("approval_waiting", { name: "Ken", state: "merge", count: 70 })).toContain("会員の統合の承認");
  expect(say("approval_waiting", { name: "Ken", state: "import", count: 0 })).toBe(
    "Kenさんがインポートの承認を依頼しています。",
  );
});

test("a message says what began, what is over, and both at once of what was short", () => {
  const at = Temporal.Instant.from("2026-11-24T10:00:00Z");
  const [finding] = findingsOf(TROUBLED, ["job_troubled"]);
  if (finding === undefined) throw new Error("a finding was expected");
  const alert = (endedAt: Temporal.Instant | null, mailed: number): Alert => {
    return { ...finding, uid: "u", beganAt: at, endedAt, mailed, posted: 0 };
  };
  const reading = { language: "en", timeZone: "Asia/Tokyo", publicUrl: "https://points.example" } as const;
  const sent = { sentOf: ({ mailed }: Alert) => mailed, hasMore: false };
  const { subject, text } = alertMessage([alert(null, 0), alert(at, 1), alert(at, 0)], reading, sent);
  expect(subject).toBe("points.example: 1 need attention, 2 over");
  expect(text.split("\n").map((line) => line.split(" (")[0])).toEqual([
    ...["Began", "Over", "Began and is over", "", "Dashboard: https://points.example/admin/", ""],
  ]);
  expect(text).toContain("24 Nov 2026, 19:00");
});

test("a store of before a kind has it, until it is turned off", () => {
  const first = ALERT_KINDS.filter((kind) => !LATER_KINDS.includes(kind));
  expect(kindsOfStored(first)).toEqual(ALERT_KINDS);
  expect(storedKinds(ALERT_KINDS)).toEqual(first);
  expect(kindsOfStored([...first, "disk_low_off", "a kind of a later version"])).toEqual(first);
  fc.assert(
    fc.property(fc.subarray([...ALERT_KINDS]), (kinds) => {
      expect(kindsOfStored(storedKinds(kinds))).toEqual(kinds);
    }),
  );
});

const ROOMY: DiskRoom = { freeBytes: 9 * GIBIBYTE, sizeBytes: 40 * GIBIBYTE, freeFiles: 9_000 };

test.each<{ has: Partial<DiskRoom>; open?: readonly DiskState[]; states: readonly DiskState[] | undefined }>([
  { has: {}, states: undefined },
  { has: { freeBytes: 5 * GIBIBYTE }, states: undefined },
  { has: { freeBytes: 5 * GIBIBYTE - 1 }, states: ["low"] },
  { has: { freeBytes: 7.5 * GIBIBYTE - 1 }, open: ["low"], states: ["low"] },
  { has: { freeBytes: 7.5 * GIBIBYTE }, open: ["low"], states: undefined },
  { has: { freeBytes: GIBIBYTE / 2 }, states: ["low"] },
  { has: { freeBytes: GIBIBYTE / 2 - 1 }, states: ["full"] },
  { has: { freeBytes: GIBIBYTE / 2 - 1 }, open: ["low"], states: ["full", "low"] },
  { has: { freeBytes: 0.75 * GIBIBYTE - 1 }, open: ["full"], states: ["full"] },
  { has: { freeBytes: 0.75 * GIBIBYTE }, open: ["full"], states: ["low"] },
  { has: { freeFiles: 999 }, states: ["few_files"] },
  { has: { freeFiles: 1_499 }, open: ["few_files"], states: ["few_files"] },
  { has: { freeFiles: 1_499 }, states: undefined },
  { has: { freeFiles: null, freeBytes: 0 }, states: ["full"] },
  { has: { sizeBytes: 3 * GIBIBYTE, freeBytes: 0.61 * GIBIBYTE }, states: undefined },
  { has: { sizeBytes: 3 * GIBIBYTE, freeBytes: 0.59 * GIBIBYTE }, states: ["low"] },
  { has: { sizeBytes: 3 * GIBIBYTE, freeBytes: 0.29 * GIBIBYTE }, states: ["full"] },
  { has: { sizeBytes: 3 * GIBIBYTE, freeBytes: 0.89 * GIBIBYTE }, open: ["low"], states: ["low"] },
])("a disk with $has after $open is $states", ({ has, open, states }) => {
  expect(diskNotice({ ...ROOMY, ...has }, open)?.states).toEqual(states);
});

test("an alert of the disk has the room when it began, rounded down", () => {
  const [finding] = findingsOf(TROUBLED, ["disk_low"]);
  if (finding === undefined) throw new Error("a finding was expected");
  expect(alertSentence(finding, "en")).toBe("The disk of the database has little room. GiB free: 4.9.");
  expect(alertSentence(finding, "ja")).toContain("空き容量（GiB）：4.9");
});

test.each([
  { free: 3, needs: 3, isOpen: false, lacks: false },
  { free: 2.99, needs: 3, isOpen: false, lacks: true },
  { free: 3.2, needs: 3, isOpen: true, lacks: true },
  { free: 3.4, needs: 3, isOpen: true, lacks: false }, // the next one fits
  { free: 0.7, needs: 0, isOpen: true, lacks: true },
  { free: 0.76, needs: 0, isOpen: true, lacks: false },
  { free: 0.4, needs: 0, isOpen: false, lacks: true },
])("$free GiB for a backup of $needs, open before: $isOpen, lack room: $lacks", ({ free, needs, isOpen, lacks }) => {
  const room = { ...ROOMY, dir: "/mnt/backups", freeBytes: free * GIBIBYTE, neededBytes: needs * GIBIBYTE };
  expect(lacksBackupRoom(room, isOpen)).toBe(lacks);
});

test("addresses are stored once each, without spaces", () => {
  expect(tidyAddresses([" a@b.example", "A@b.example ", "", "c@d.example"])).toEqual(["A@b.example", "c@d.example"]);
});

test("the HTML of a text has no markup of the text's own", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."<>&\"'ab \nhttps://x.example/") }), (text) => {
      const markup = htmlOfText(text).replaceAll(/<\/?p>|<br>|<a href="[^"<>]*">|<\/a>/g, "");
      expect(markup).not.toMatch(/[<>"']/);
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
    }),
  );
  expect(htmlOfText("see https://x.example/?a=1&b=2\nnow")).toBe(
    '<p>see <a href="https://x.example/?a=1&amp;b=2">https://x.example/?a=1&amp;b=2</a><br>\nnow</p>',
  );
});
