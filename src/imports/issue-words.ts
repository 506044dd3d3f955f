import { POINTS_MAX } from "../ledger/allotment-types.ts";
import type { TierRule } from "../program/program.ts";
import { DAY_EXAMPLES, type DayForm } from "../wire/day-forms.ts";
import type { Language } from "../wire/language.ts";
import { LOCALES } from "../wire/text-forms.ts";
import { type CsvImport, UNDO_DAYS } from "./csv-import.ts";
import type { IssueCode, RowIssue } from "./issue.ts";
import { dayFormsOf } from "./read/day-forms-of.ts";
import { hasUnclearPoint } from "./read/unclear-point.ts";

/** Values that a sentence may need in addition to the issue. */
export interface IssueContext {
  /** The names of the tiers, lowest first. */
  readonly tiers: readonly string[];
  /** Whether a person can choose how the file writes days. */
  readonly hasDayForms?: boolean;
  /** Whether the points of a row are a balance: 0 or more, never a change. */
  readonly isBalance?: boolean;
}

/** Returns a stored number of points without its sign, as people write it: 4313 is "4,313". */
function sizeOf(value: string | null): string {
  const size = (value ?? "").replace("-", "");
  return /^\d+$/.test(size) ? BigInt(size).toLocaleString(LOCALES.en) : size;
}

type Words = Readonly<Record<IssueCode, (issue: RowIssue, context: IssueContext) => string>>;

const ENGLISH: Words = {
  customer_missing: () => "The customer is missing: expected an e-mail address or an id.",
  customer_unknown: () => "No customer has this e-mail address or id.",
  customer_ambiguous: () => "More than one customer has this e-mail address or id: use another id.",
  points_missing: (_, { isBalance }) =>
    isBalance === true
      ? "The balance is missing: expected a whole number, 0 or more."
      : "The points are missing: expected a whole number other than 0.",
  points_not_integer: (_, { isBalance }) =>
    isBalance === true
      ? "Expected a balance as a whole number, 0 or more, such as 100."
      : "Expected points as a whole number, such as 100 or -50.",
  points_zero: () => "Expected points other than 0.",
  points_too_large: () => `Expected at most ${POINTS_MAX} points.`,
  balance_negative: () => "Expected a balance of 0 or more.",
  expiry_unclear: () => "Expected a date within 100 years, such as 2027-03-31, or a time with its zone.",
  expiry_past: () => "These points have expired already.",
  expiry_of_deduction: () => "Only points that are given have an expiry date.",
  extension_unclear: () => "Expected yes or no for the expiration extension.",
  reason_unknown: () => "Expected a known type of reason, such as compensation.",
  note_too_long: () => "Expected a note of at most 255 characters.",
  text_unclean: () => "The text has characters that cannot be kept.",
  too_many_cells: () => "The row has more cells than the header: is a separator inside a value that is not quoted?",
  tier_unknown: (_, { tiers }) => `Expected a tier: ${tiers.join(", ")}, or its place from 0.`,
  tier_below_minimum: () => "The tier is below the customer's minimum tier.",
  skip_unclear: () => "Expected yes or no for skipping the next check.",
  nothing_to_change: () => "Expected a tier, a minimum tier, or whether to skip the next check.",
  id_missing: () => "The id is missing: expected the storefront's id of the customer.",
  id_is_email: () => "Expected the storefront's id of the customer, not an e-mail address.",
  id_rounded: () => "A spreadsheet has rounded the id: expected all of its digits.",
  id_too_long: () => "Expected an id of at most 1,000 characters and 2,600 bytes.",
  email_unclear: () => "Expected an e-mail address, such as hanako@example.com.",
  name_too_long: () => "Expected a name of at most 255 characters.",
  birthday_unclear: () => "Expected a date that exists, as 1988-04-12, or --04-12 where the year is unknown.",
  marketing_unclear: () => "Expected yes or no for accepting marketing.",
  account_unclear: () => "Expected yes or no for the enabled account.",
  customer_deleted: () => "The customer with this id or e-mail address was deleted: a file brings nobody back.",
  email_missing: () => "The e-mail address is missing: customers are to be matched by it.",
  email_taken: () => "Another customer has this e-mail address: is the id another app's? Then match by e-mail.",
  email_repeated: () => "A row above gives this e-mail address to another id.",
  id_taken: () => "Nobody has this e-mail address, but another customer has this id.",
  customer_repeated: () => "This customer has more than one row: all of them count.",
  above_balance: ({ value }) =>
    `The deduction is above the balance: ${sizeOf(value)} points are missing. Such a row takes nothing.`,
  negative_balance: () => "The deduction was above the balance: nothing was taken.",
  balance_limit: () => "The balance would have become too large.",
  customer_gone: () => "The customer was deleted meanwhile.",
  customer_merged: () =>
    "The customer and another one were merged meanwhile: the balance or tier of both stays as it is.",
  points_left: ({ value }) => `${sizeOf(value)} points could not be taken back: they were gone.`,
  customer_changed_since: () => "The customer was changed since, or has allotments: left as they are.",
  changed_since: () => "The tier was changed or earned since: it stays as it is.",
  earned_unclear: () => "Expected a date between 1970 and today on which the points were earned, such as 2025-03-31.",
  earned_and_expired: () => "Points that were earned then have expired by the program: give them an expiry date.",
  keep_until_unclear: () => "Expected a tier, and a date within 100 years until which it is kept.",
  spent_missing: () => "The amount is missing: expected money in the store's currency, such as 1234.50.",
  spent_unclear: () => "Expected an amount of 0 or more in the store's currency, such as 1234.50.",
  date_missing: () => "The date is missing.",
  date_unclear: () => "Expected a date that exists, such as 2025-03-31, or in the form that was chosen.",
  date_in_future: () => "Expected a date that has passed.",
  id_of_another: () => "The customer with this id has another e-mail address.",
  row_repeated: () => "Expected one row a customer, since it sets the balance.",
  history_full: () => "The customer has 10,000 entries of history already: this one was left out.",
  file_gone: () => "The file was removed, since a person's data was erased: upload it again without that person.",
  part_not_imported: ({ value }) =>
    `The ${value ?? "rest"} of this file could not be checked, and what comes after that was not imported: undo this import, then upload the file again.`,
  part_not_undone: ({ value }) =>
    `The ${value ?? "rest"} of this file can no longer be undone: they were imported more than ${UNDO_DAYS} days ago, or by an older version. They stay, and so does what was imported before them. What was imported after them is undone.`,
  moved_before: ({ value }) =>
    `The customer already received ${value ?? ""} points from an earlier file of this app: give more only on purpose.`,
  spent_before: () => "What the customer spent came with an earlier file of this app: it stays as it is.",
  history_before: () => "An earlier file of this app brought this entry: it is shown once.",
};

const PARTS_IN_JAPANESE: Readonly<Record<string, string>> = {
  ...{ customers: "会員", points: "ポイント", spend: "購入金額", tiers: "会員ランク" },
};

const JAPANESE: Words = {
  customer_missing: () => "会員が空欄です。メールアドレスまたはIDを入力してください。",
  customer_unknown: () => "このメールアドレスまたはIDの会員は見つかりません。",
  customer_ambiguous: () => "同じメールアドレスまたはIDの会員が複数います。別のIDで指定してください。",
  points_missing: (_, { isBalance }) =>
    isBalance === true
      ? "残高が空欄です。0以上の整数を入力してください。"
      : "ポイントが空欄です。0以外の整数を入力してください。",
  points_not_integer: (_, { isBalance }) =>
    isBalance === true
      ? "残高は100のような0以上の整数で入力してください。"
      : "ポイントは100や-50のような整数で入力してください。",
  points_zero: () => "ポイントは0以外にしてください。",
  points_too_large: () => `ポイントは${POINTS_MAX}以下にしてください。`,
  balance_negative: () => "残高は0以上にしてください。",
  expiry_unclear: () => "有効期限は2027-03-31のような100年以内の日付、または時差付きの時刻で入力してください。",
  expiry_past: () => "このポイントはすでに有効期限が切れています。",
  expiry_of_deduction: () => "有効期限を指定できるのは付与するポイントだけです。",
  extension_unclear: () => "有効期限延長は「はい」か「いいえ」で入力してください。",
  reason_unknown: () => "理由の種類が正しくありません（例: compensation）。",
  note_too_long: () => "メモは255文字以内で入力してください。",
  text_unclean: () => "保存できない文字が含まれています。",
  too_many_cells: () => "見出しより列が多い行です。引用符のない値に区切り文字が含まれていないか確認してください。",
  tier_unknown: (_, { tiers }) => `会員ランクは${tiers.join("、")}、または0から始まる順番で指定してください。`,
  tier_below_minimum: () => "指定した会員ランクが、会員の最低ランクを下回っています。",
  skip_unclear: () => "次回判定のスキップは「はい」か「いいえ」で入力してください。",
  nothing_to_change: () => "会員ランク、最低ランク、次回判定のスキップのいずれかを入力してください。",
  id_missing: () => "IDが空欄です。ストアの会員IDを入力してください。",
  id_is_email: () => "メールアドレスではなく、ストアの会員IDを入力してください。",
  id_rounded: () => "表計算ソフトでIDが丸められています。すべての桁を入力してください。",
  id_too_long: () => "IDは1,000文字、2,600バイト以内で入力してください。",
  email_unclear: () => "メールアドレスはhanako@example.comのように入力してください。",
  name_too_long: () => "名前は255文字以内で入力してください。",
  birthday_unclear: () => "誕生日は実在する日付を1988-04-12のように入力してください（年が不明なら--04-12）。",
  marketing_unclear: () => "マーケティング同意は「はい」か「いいえ」で入力してください。",
  account_unclear: () => "アカウント有効は「はい」か「いいえ」で入力してください。",
  customer_deleted: () => "このIDまたはメールアドレスの会員は削除されています。ファイルでは元に戻せません。",
  email_missing: () => "メールアドレスが空欄です。メールアドレスで照合するには入力が必要です。",
  email_taken: () =>
    "このメールアドレスは別の会員のものです。IDが他のアプリのものなら、メールアドレスで照合してください。",
  email_repeated: () => "上の行で、同じメールアドレスが別のIDに使われています。",
  id_taken: () => "このメールアドレスの会員はいませんが、同じIDの別の会員がいます。",
  customer_repeated: () => "この会員の行が複数あります。すべて反映されます。",
  above_balance: ({ value }) =>
    `減算が残高を上回っています（${sizeOf(value)}ポイント不足）。この場合、何も引かれません。`,
  negative_balance: () => "減算が残高を上回ったため、何も引かれませんでした。",
  balance_limit: () => "残高が上限を超えるため、付与されませんでした。",
  customer_gone: () => "会員が削除されていました。",
  customer_merged: () => "会員が別の会員と統合されたため、統合後の残高または会員ランクをそのままにしました。",
  points_left: ({ value }) => `${sizeOf(value)}ポイントは残高が足りず、取り消せませんでした。`,
  customer_changed_since: () => "その後に変更されたか、ポイントの履歴があるため、そのままにしました。",
  changed_since: () => "その後に会員ランクが変更または達成されたため、そのままにしました。",
  earned_unclear: () => "獲得日は2025-03-31のような、1970年から今日までの日付で入力してください。",
  earned_and_expired: () => "この日に獲得したポイントは、設定ではすでに失効しています。有効期限を指定してください。",
  keep_until_unclear: () => "会員ランクと、維持期限（100年以内の日付）を入力してください。",
  spent_missing: () => "金額が空欄です。ストアの通貨で入力してください（例: 1234.50）。",
  spent_unclear: () => "金額はストアの通貨で0以上を入力してください（例: 1234.50）。",
  date_missing: () => "日付が空欄です。",
  date_unclear: () => "日付は2025-03-31のような実在する日付か、選んだ書き方で入力してください。",
  date_in_future: () => "過去の日付を入力してください。",
  id_of_another: () => "このIDの会員は、別のメールアドレスを持っています。",
  row_repeated: () => "残高を置き換えるときは、会員ごとに1行にしてください。",
  history_full: () => "この会員の履歴はすでに10,000件あるため、インポートしませんでした。",
  file_gone: () => "個人情報の削除により、ファイルがなくなりました。その人を除いて、もう一度アップロードしてください。",
  part_not_imported: ({ value }) =>
    `このファイルの${PARTS_IN_JAPANESE[value ?? ""] ?? "残り"}を確認できず、それ以降はインポートされませんでした。このインポートを取り消してから、もう一度アップロードしてください。`,
  part_not_undone: ({ value }) =>
    `このファイルの${PARTS_IN_JAPANESE[value ?? ""] ?? "残り"}は、インポートから${UNDO_DAYS}日を過ぎているか、以前のバージョンでインポートされたため、取り消せません。それより前にインポートされたものも残っています。それより後のものは取り消しました。`,
  moved_before: ({ value }) =>
    `この会員は、同じアプリの以前のファイルですでに${value ?? ""}ポイントを受け取っています。再度付与する場合だけ指定してください。`,
  spent_before: () => "購入金額は、同じアプリの以前のファイルでインポート済みです。そのままにしました。",
  history_before: () => "この履歴は、同じアプリの以前のファイルでインポート済みです。表示は1回だけです。",
};

const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, ja: JAPANESE };

/** Returns what the sentences about a file's rows need. */
export function issueContextOf(
  { kind, options }: Pick<CsvImport, "kind" | "options">,
  tiers: readonly TierRule[],
): IssueContext {
  return {
    tiers: tiers.map(({ name }) => name),
    hasDayForms: kind === "move" || kind === "spend" || kind === "history",
    isBalance: kind === "move" || (kind === "points" && (options.setsBalance || options.move !== null)),
  };
}

const OF_DATES: ReadonlySet<IssueCode> = new Set([
  ...(["birthday_unclear", "expiry_unclear", "earned_unclear", "keep_until_unclear", "date_unclear"] as const),
]);
const OF_NUMBERS: ReadonlySet<IssueCode> = new Set(["points_not_integer", "spent_unclear"]);
const HINTS: Readonly<
  Record<Language, { days(forms: readonly DayForm[]): string; number: string; spreadsheet(day: string): string }>
> = {
  en: {
    days: (forms) =>
      ` The file seems to write days as ${forms.map((form) => DAY_EXAMPLES[form]).join(" or ")}: choose that for all of its dates ("How days are written", or --days ${forms.join(" or ")}).`,
    number: " A point before three digits may separate thousands or decimals: write 1200, 1,200 or 1.20.",
    spreadsheet: (day) =>
      ` A spreadsheet probably saved ${day} as a number: give the column the format of a date, as 2027-03-31, before you save it as CSV.`,
  },
  ja: {
    days: (forms) =>
      `日付が${forms.map((form) => DAY_EXAMPLES[form]).join("または")}の形式のようです。「日付の書き方」（--days ${forms.join("または")}）で、ファイル全体の形式を選んでください。`,
    number: "「.」と3桁の数字は、桁区切りか小数か判断できません。1200、1,200、1.20のように入力してください。",
    spreadsheet: (day) =>
      `表計算ソフトが${day}を数値として保存したようです。列の表示形式を日付（2027-03-31）にしてから、CSVで保存してください。`,
  },
};

/** What is wrong with a row, as a person reads it, and what the value suggests to do about it. */
export function issueText(issue: RowIssue, language: Language, context: IssueContext): string {
  return WORDS[language][issue.code](issue, context) + hintOf(issue, language, context);
}

/** The day before the first one of a spreadsheet. */
const SPREADSHEET_START = Temporal.PlainDate.from("1899-12-30");
/** The numbers of days from 1927 to 2118, with a time behind the point. */
const SPREADSHEET_NUMBER = /^([1-7]\d{4})(?:[.,]\d+)?$/;

/** Returns the day of which a text is the number in a spreadsheet; null: none. */
function spreadsheetDay(text: string): string | null {
  const [, days] = SPREADSHEET_NUMBER.exec(text) ?? [];
  return days === undefined ? null : SPREADSHEET_START.add({ days: Number(days) }).toString();
}

function hintOf({ code, value }: RowIssue, language: Language, context: IssueContext): string {
  const text = value ?? "";
  if (OF_NUMBERS.has(code) && hasUnclearPoint(text.normalize("NFKC").replace(/[^\d.+-]/g, "")))
    return HINTS[language].number;
  const day = OF_DATES.has(code) ? spreadsheetDay(text.trim()) : null;
  if (day !== null) return HINTS[language].spreadsheet(day);
  const forms = context.hasDayForms === true && OF_DATES.has(code) ? dayFormsOf(text) : [];
  return forms.length === 0 ? "" : HINTS[language].days(forms);
}

/** The names of the columns that a file of faults adds. */
export const ISSUE_COLUMNS: Readonly<
  Record<Language, Readonly<Record<"line" | "reason" | "customer" | "part" | "email" | "code", string>>>
> = {
  en: {
    ...{ line: "Line", reason: "What is wrong", customer: "Customer id" },
    ...{ part: "Import", email: "E-mail", code: "Code" },
  },
  ja: {
    ...{ line: "行", reason: "エラー内容", customer: "会員ID" },
    ...{ part: "インポート", email: "メールアドレス", code: "コード" },
  },
};
