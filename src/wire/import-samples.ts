import { IMPORT_FIELD_NAMES, IMPORT_FIELDS, type ImportField, type ImportKind } from "./import-fields.ts";
import type { Language } from "./language.ts";

/** Two customers: the first with every field, the second with the required fields only. */
const SAMPLE_EMAILS = ["hanako@example.com", "taro@example.com"] as const;

const YES = { en: ["yes", "no"], ja: ["はい", "いいえ"] } as const;

/** Returns a sample file with a header and two rows, made from the fields of its kind. A store can import it, the file of customers first. */
export function importSample(kind: ImportKind, language: Language, year: number): string {
  const fields: readonly ImportField[] = IMPORT_FIELDS[kind];
  const values = sampleValues(language, year);
  const rows = [0, 1].map((row) => fields.map((field) => values[field][row] ?? "").join(","));
  return [fields.map((field) => IMPORT_FIELD_NAMES[language][field]).join(","), ...rows, ""].join("\r\n");
}

/** No value needs quoting. */
function sampleValues(language: Language, year: number): Readonly<Record<ImportField, readonly string[]>> {
  const [yes, no] = YES[language];
  return {
    customer: SAMPLE_EMAILS,
    points: ["100", "250"],
    extension: [no, yes],
    reason: ["reward"],
    note: ["Welcome back", ""],
    expires_at: [`${year + 1}-12-31`],
    tier: ["0", "0"],
    minimum_tier: [],
    skip_next_check: [yes, no],
    id: ["1001", "1002"],
    email: SAMPLE_EMAILS,
    name: ["山田 花子", "Taro Suzuki"],
    name_reading: ["やまだ はなこ"],
    birthday: ["1988-04-12"],
    accepts_marketing: [yes, no],
    account_enabled: [yes, no],
    first_name: ["花子", "Taro"],
    last_name: ["山田", "Suzuki"],
    earned_at: [`${year - 1}-06-30`],
    tier_until: [`${year + 1}-12-31`],
    spent: ["12000", "4800"],
    happened_at: [`${year - 1}-06-30`, `${year - 1}-07-01`],
    entry: ["earned", "earned"],
  };
}
