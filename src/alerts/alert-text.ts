import type { AlertKind } from "../wire/alerts.ts";
import { JOB_NAMES } from "../wire/job-names.ts";
import type { Language } from "../wire/language.ts";
import { LOCALES, MINUTE_FORM } from "../wire/text-forms.ts";
import { TOPIC_NAMES } from "../wire/topic-names.ts";
import { type Alert, unsentPart } from "./alert.ts";
import type { AlertAbout, AlertFinding } from "./finding.ts";

type SayKind = (about: Required<Omit<AlertAbout, "count">> & { readonly count: string }) => string;

interface Words {
  readonly kinds: Readonly<Record<AlertKind, SayKind>>;
  readonly states: Readonly<Record<string, string>>;
  readonly began: string;
  readonly over: string;
  readonly both: string;
  readonly subject: (began: number, over: number) => string;
  readonly more: string;
  readonly where: (url: string) => string;
  readonly testSubject: string;
  readonly testText: string;
}

/** What is counted of a request that is no change of one customer's points: an import, the program. */
const NO_POINTS = "0";

const EN: Words = {
  kinds: {
    receiver_dead: ({ name }) =>
      `The receiver of "${name}" no longer acknowledges deliveries: they wait and are retried.`,
    job_troubled: ({ name }) => `The job "${name}" is late or failed.`,
    ledger_breach: ({ count }) =>
      `Rows of the database were changed by hand: breaches found by the self-check: ${count}.`,
    backup_old: ({ state }) => state,
    grant_unusual: ({ name, count }) => `${name} moved many points by hand within 24 hours: ${count}.`,
    approval_waiting: ({ name, state, count }) =>
      `${name} requests approval of ${state}${count === NO_POINTS ? "" : ` (points: ${count})`}.`,
    disk_low: ({ state, name, count }) => `${state}${name === "" ? "" : ` (${name})`}: ${count}.`,
  },
  states: {
    overdue: "No backup was made for twice the scheduled period.",
    failed: "The last scheduled backup failed.",
    log_behind: "The log of the database is not archived: pointkeeper doctor says why.",
    disk_low: "The disk of the database has little room. GiB free",
    disk_backups: "The disk of the backups and the archived log may have no room for the next backup. GiB free",
    disk_full: "The disk of the database is nearly full; once it is full, every change is refused. GiB free",
    disk_few_files: "The disk of the database takes few more files; without any, every change is refused. Files",
    add: "an adjustment",
    set: "an adjustment",
    undo: "undoing an adjustment",
    import: "an import",
    import_undo: "undoing an import",
    program: "a change of the program",
    merge: "a merge of two customers",
  },
  began: "Began",
  over: "Over",
  both: "Began and is over",
  subject: (began, over) =>
    [began > 0 ? `${began} need attention` : "", over > 0 ? `${over} over` : ""]
      .filter((part) => part !== "")
      .join(", "),
  more: "There are more: see the dashboard.",
  where: (url) => `Dashboard: ${url}`,
  testSubject: "Test of the alerts",
  testText: "This is a test of the alerts of Pointkeeper. There is nothing to do.",
};

const JA: Words = {
  kinds: {
    receiver_dead: ({ name }) => `Webhook「${name}」の通知先が応答しなくなりました。通知は保留し、再送を続けます。`,
    job_troubled: ({ name }) => `定期処理「${name}」が遅れているか、失敗しました。`,
    ledger_breach: ({ count }) => `自己検査で${count}件の不整合が見つかりました。データベースが直接変更されています。`,
    backup_old: ({ state }) => state,
    grant_unusual: ({ name, count }) => `${name}さんが24時間以内に手動で${count}ポイントを増減しました。`,
    approval_waiting: ({ name, state, count }) =>
      `${name}さんが${state}の承認を依頼しています${count === NO_POINTS ? "" : `（${count}ポイント）`}。`,
    disk_low: ({ state, name, count }) => `${state}${name === "" ? "" : `（${name}）`}：${count}`,
  },
  states: {
    overdue: "バックアップが予定の2倍の期間作成されていません。",
    failed: "直近の定期バックアップが失敗しました。",
    log_behind: "データベースのログが保管されていません。原因はpointkeeper doctorで確認できます。",
    disk_low: "データベースのディスクの空き容量が少なくなっています。空き容量（GiB）",
    disk_backups:
      "バックアップとログの保管先のディスクに、次のバックアップの空き容量がない可能性があります。空き容量（GiB）",
    disk_full:
      "データベースのディスクの空き容量がほとんどありません。なくなると変更を受け付けられません。空き容量（GiB）",
    disk_few_files:
      "データベースのディスクに新しく作成できるファイル数がわずかです。なくなると変更を受け付けられません。ファイル数",
    add: "ポイント調整",
    set: "ポイント調整",
    undo: "ポイント調整の取り消し",
    import: "インポート",
    import_undo: "インポートの取り消し",
    program: "プログラム設定の変更",
    merge: "会員の統合",
  },
  began: "発生",
  over: "解消",
  both: "発生し、解消",
  subject: (began, over) =>
    [began > 0 ? `要確認${began}件` : "", over > 0 ? `解消${over}件` : ""].filter((part) => part !== "").join("、"),
  more: "ほかにもあります。管理画面で確認してください。",
  where: (url) => `管理画面：${url}`,
  testSubject: "アラートのテスト",
  testText: "Pointkeeperのアラートのテスト送信です。対応は不要です。",
};

const WORDS: Readonly<Record<Language, Words>> = { en: EN, ja: JA };
const NAME_MAX = 100;

/** The language and context in which a message is read. */
export interface AlertReading {
  readonly language: Language;
  readonly timeZone: string;
  readonly publicUrl: string;
}

/** A message to people: a subject of one line, and a text. */
export interface AlertMessage {
  readonly subject: string;
  readonly text: string;
}

/** Returns an alert as one sentence. */
export function alertSentence({ kind, about }: Pick<AlertFinding, "kind" | "about">, language: Language): string {
  const { kinds, states } = WORDS[language];
  const { name = "", state = "", count = 0 } = about;
  return kinds[kind]({
    name: shownName(kind, name, language)
      .replaceAll(/\p{Cc}/gu, " ")
      .slice(0, NAME_MAX)
      .toWellFormed(),
    state: states[state] ?? state,
    count: count.toLocaleString(LOCALES[language]),
  });
}

/** Returns the name that pages give a job or a topic; a person's name unchanged. */
function shownName(kind: AlertKind, name: string, language: Language): string {
  const known: Partial<Record<AlertKind, Readonly<Record<string, string>>>> = {
    job_troubled: JOB_NAMES[language],
    receiver_dead: TOPIC_NAMES[language],
  };
  const names = known[kind] ?? {};
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}

/** Returns one message about several alerts. `sentOf`: what its channel has sent of an alert; `hasMore`: others wait. */
export function alertMessage(
  alerts: readonly Alert[],
  { language, timeZone, publicUrl }: AlertReading,
  { sentOf, hasMore }: { sentOf(alert: Alert): number; readonly hasMore: boolean },
): AlertMessage {
  const words = WORDS[language];
  const time = new Intl.DateTimeFormat(LOCALES[language], { ...MINUTE_FORM, timeZone });
  const lines = alerts.map((alert) => {
    const at = time.format((alert.endedAt ?? alert.beganAt).epochMilliseconds);
    return `${words[unsentPart(alert, sentOf(alert))]} (${at}): ${alertSentence(alert, language)}`;
  });
  const over = alerts.filter(({ endedAt }) => endedAt !== null).length;
  const text = [...lines, ...(hasMore ? [words.more] : [])].join("\n");
  return {
    subject: `${new URL(publicUrl).host}: ${words.subject(alerts.length - over, over)}`,
    text: `${text}\n\n${words.where(`${publicUrl}/admin/`)}\n`,
  };
}

export function testAlertMessage({ language, publicUrl }: Omit<AlertReading, "timeZone">): AlertMessage {
  const { testSubject, testText } = WORDS[language];
  return { subject: `${new URL(publicUrl).host}: ${testSubject}`, text: `${testText}\n` };
}
