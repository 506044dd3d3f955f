import { IMPORT_FIELDS, type ImportField, type ImportKind, type UploadKind } from "../../wire/import-fields.ts";
import { plainForm } from "./plain-form.ts";

/** The position of each field in a row, from 0; an absent one is not in the file. */
export type Columns = Readonly<Partial<Record<ImportField, number>>>;

/** Names in the first row, without case, spaces and signs. */
const NAMES: Readonly<Record<ImportField, readonly string[]>> = {
  // of several such columns in another app's file the first is used: an id may be the app's own, or that of the entry
  customer: [
    ..."emailorid,idoremail,email,mail,emailaddress,mailaddress,customeremail,customeremailaddress,memberemail".split(
      ",",
    ),
    ..."メールアドレスまたはid,メールアドレスかid,idまたはメールアドレス,メールまたはid,メールアドレス,メール".split(
      ",",
    ),
    ..."shopifycustomerid,shopifyid,storefrontid,customerid,customer".split(","),
    ..."顧客id,顧客番号,会員id,会員番号,お客様id,カスタマーid,顧客,会員,お客様,id".split(","),
  ],
  points:
    "points,point,pointvalue,pointstoadd,pointsamount,pointschange,pointchange,ポイント,ポイント数,付与ポイント,増減ポイント,ポイント増減".split(
      ",",
    ),
  extension: [
    ..."expirationextension,extendexpiration,extendsexpiration,expiryextension,extendexpiry,extension".split(","),
    ..."有効期限延長,有効期限の延長,有効期限を延長,期限延長,期限の延長,延長".split(","),
  ],
  reason: "reason,reasontype,理由,理由の種類".split(","),
  note: "note,notes,memo,comment,description,externalnote,title,メモ,備考,コメント,理由メモ".split(","),
  expires_at: [
    ..."expiresat,expiry,expires,expirydate,expirationdate,expiration,pointsexpireat,pointsexpiry".split(","),
    ..."有効期限,失効日,期限日".split(","),
  ],
  tier: "tier,rank,tiername,tieruid,会員ランク,ランク,ティア,会員ステージ,ステージ".split(","),
  minimum_tier: [
    ..."minimumtier,mintier,tierfloor,minimumrank".split(","),
    ..."最低会員ランク,最低ランク,最低ティア,下限ランク,会員ランクの下限".split(","),
  ],
  skip_next_check: [
    ..."skipnextcheck,skipcheck,skip,skipnexttiercheck".split(","),
    ..."次回判定をスキップ,次回の判定をスキップ,次回判定スキップ,次回スキップ,判定スキップ,スキップ".split(","),
  ],
  id: "id,customerid,storefrontid,shopifyid,顧客id,顧客番号,会員id,会員番号,お客様id,カスタマーid".split(","),
  email: "email,mail,emailaddress,mailaddress,メールアドレス,メール,eメール".split(","),
  name: "name,fullname,customername,名前,氏名,お名前,顧客名,会員名,お客様名".split(","),
  name_reading: [
    ..."namereading,reading,readingofthename,yomigana,furigana,namekana,kana".split(","),
    ..."フリガナ,ふりがな,氏名フリガナ,氏名カナ,名前カナ,お名前フリガナ,カナ,読み仮名,よみがな,ヨミガナ".split(","),
  ],
  birthday: "birthday,birthdate,dateofbirth,dob,誕生日,生年月日,お誕生日".split(","),
  accepts_marketing: [
    ..."acceptsmarketing,acceptsemailmarketing,marketing,marketingconsent,newsletter,subscribed".split(","),
    ..."マーケティング同意,マーケティング,メールマーケティング,メルマガ,メルマガ受信,メルマガ購読".split(","),
    ..."メール配信,メール受信,販促メール,お知らせメール".split(","),
  ],
  first_name: [],
  last_name: [],
  earned_at: "earnedat,pointsearnedat,earneddate,獲得日,付与日".split(","),
  tier_until:
    "tieruntil,tierkeptuntil,keepuntil,tierexpiresat,viptierenddate,tierenddate,会員ランクの維持期限,会員ランク維持期限,ランク維持期限".split(
      ",",
    ),
  spent: [
    ..."spent,amount,total,totalspent,ordertotal,totalprice,lifetimespend,netsales".split(","),
    ..."購入金額,金額,合計,累計購入金額".split(","),
  ],
  happened_at: [
    ..."date,happenedat,occurredat,createdat,appliedat,timestamp,time,orderdate,processedat,paidat,asof".split(","),
    ..."日付,日時,発生日,注文日,購入日".split(","),
  ],
  entry: "entry,type,action,event,whathappened,activity,source,種類,内容,種別".split(","),
  account_enabled: [
    ..."accountenabled,accountactive,account,enabled,active".split(","),
    ..."アカウント有効,アカウント,アカウントの状態,アカウント状態,有効".split(","),
  ],
};

const SIGNS = /[\s_\-‐ー・.:()[\]'"*/&]/g;

function plainName(text: string): string {
  return plainForm(text).toLowerCase().replace(SIGNS, "");
}

const CUSTOMER_NAMES = NAMES.customer.map(plainName);

const FIELD_OF_NAME: Readonly<Record<ImportKind, ReadonlyMap<string, ImportField>>> = {
  points: namesOf("points"),
  tiers: namesOf("tiers"),
  customers: namesOf("customers"),
  spend: namesOf("spend"),
  history: namesOf("history"),
};

function namesOf(kind: ImportKind): ReadonlyMap<string, ImportField> {
  return new Map(IMPORT_FIELDS[kind].flatMap((field) => NAMES[field].map((name) => [plainName(name), field])));
}

/** Returns the columns that a first row names, in English or Japanese, in any order and case; null: it names none, so it is not a header. */
export function recogniseColumns(kind: UploadKind, firstRow: readonly string[]): Columns | null {
  if (kind === "move") return null; // the folder that reads other apps' files has their names
  const columns: Partial<Record<ImportField, number>> = {};
  const names = firstRow.map(plainName);
  for (const [index, name] of names.entries()) {
    const field = FIELD_OF_NAME[kind].get(name);
    if (field !== undefined && columns[field] === undefined) columns[field] = index;
  }
  const isOfApp = kind === "spend" || kind === "history";
  const customer = isOfApp ? CUSTOMER_NAMES.find((name) => names.includes(name)) : undefined;
  if (customer !== undefined) columns.customer = names.indexOf(customer);
  return Object.keys(columns).length === 0 ? null : columns;
}

/** Returns the columns of a file without a header: the fields in order, up to the length of the row. */
export function columnsByPosition(kind: UploadKind, count: number): Columns {
  return Object.fromEntries(IMPORT_FIELDS[kind].slice(0, count).map((field, index) => [field, index]));
}

/** Returns the errors of a mapping: missing or unknown fields, or a column with two fields. */
export function refuseColumns(
  kind: UploadKind,
  columns: Columns,
  matchByEmail = false,
): { field: string; detail: string }[] {
  const fields: readonly string[] = IMPORT_FIELDS[kind];
  const unknown = Object.keys(columns)
    .filter((field) => !fields.includes(field))
    .map((field) => ({ field, detail: `expected one of ${fields.join(", ")}` }));
  const missing = required(kind, columns, matchByEmail).map((field) => ({
    field,
    detail: "is required: expected a column's position",
  }));
  const taken = Object.entries(columns)
    .filter(([field, index], i, all) => all.findIndex((other) => other[1] === index) < i && fields.includes(field))
    .map(([field]) => ({ field, detail: "expected a column that no other field has" }));
  return [...unknown, ...missing, ...taken];
}

function required(kind: UploadKind, columns: Columns, matchByEmail: boolean): string[] {
  const lacking = (...fields: readonly ImportField[]) => fields.filter((field) => columns[field] === undefined);
  switch (kind) {
    case "move":
      return [...(columns.id === undefined ? lacking("email") : []), ...lacking("points")];
    case "customers":
      return lacking(matchByEmail ? "email" : "id");
    case "points":
      return lacking("customer", "points").slice(0, 1);
    case "spend":
      return lacking("customer", "spent");
    case "history":
      return lacking("customer", "happened_at", "points");
    case "tiers": {
      const isSome = lacking("tier", "minimum_tier", "skip_next_check").length < 3;
      return [...lacking("customer"), ...(isSome ? [] : ["tier"])].slice(0, 1);
    }
  }
}
