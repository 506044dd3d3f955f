import type { KnownValues } from "./boundary-values.ts";
import type { ServedRoute } from "./served-routes.ts";
import type { TestService } from "./service.ts";
import type { AdminClient } from "./staff.ts";

/** A uid of the store, and the table or column that it was found in, without `_uid`. */
export interface StoredUid {
  readonly of: string;
  readonly uid: string;
}

/** What requests to the store of makeRichStore may name. */
export interface StoreValues extends Omit<KnownValues, "uuids"> {
  readonly uids: readonly StoredUid[];
}

/** Fields with other values would only make an answer wait. */
const NO_WAITING = {
  wait: [0, -1, 31, 1e9, "x"],
  Prefer: ["handling=strict", "return=minimal", "wait=0", "wait=x", ";"],
};
/** Words of paths that differ from the names of tables. */
const TABLE_WORDS: Readonly<Record<string, string>> = {
  people: "staff",
  approval: "adjustment_request",
  ledger: "allotment",
};
const NEAR_TIMES = 10;
const UIDS_PER_COLUMN = 6;

/** Reads what requests may name. Not `own`, the people who send requests and their sessions, nor the store's credential: a request could end these. */
export async function readStoreValues(
  service: TestService,
  owner: AdminClient,
  own: ReadonlySet<string>,
): Promise<StoreValues> {
  const texts = async (select: string) =>
    (await service.owner.query<{ text: string }>(`${select} order by 1 limit 6`)).map(({ text }) => text);
  const { data: program } = (await owner.get("/program")).body;
  const byName = {
    ...NO_WAITING,
    ...{
      customer_id: ["c1", "c2", "c3", "c7"],
      order_id: ["O1", "O2", "O3"],
      line_id: ["L1", "L2"],
      currency: ["JPY"],
    },
    ...{
      document: [program.document],
      base_version: [program.version],
      email: ["hanako@example.com", "c20@example.com"],
    },
    ...{ "Idempotency-Key": ["k1", "k2", "k3"], "x-api-version": ["1.0.0", "2.0.0"], language: ["en", "ja"] },
    code: [...(await texts("select code as text from coupon")), "unknown"],
    kid: [...(await texts("select kid as text from storefront_key")), "unknown"],
    key: [
      ...(await texts("select key as text from credential")).filter((key) => key !== service.credential.key),
      "unknown",
    ],
  };
  const uids = (await readUids(service)).filter(({ uid }) => !own.has(uid));
  return { uids, texts: ["c1", "c2", "c3", "c7", "c20", "O1", "O2", "F1", "hanako@example.com"], byName };
}

/** Returns the values for requests to a route: uids that its path names come more often. */
export function valuesFor({ url }: ServedRoute, { uids, texts, byName }: StoreValues): KnownValues {
  const words = url.split("/").map((part) => part.replace(/(?:ies|s)$/, ""));
  const tables = words.filter((word) => /^\w/.test(word)).map((word) => TABLE_WORDS[word] ?? word);
  const near = uids.filter(({ of }) => tables.some((table) => of.includes(table)));
  const often = Array.from({ length: NEAR_TIMES }, () => near).flat();
  return { uuids: [...uids, ...often].map(({ uid }) => uid), texts, byName };
}

/** Reads the newest uids of every table, or of the given ones. */
export async function readUids({ owner }: TestService, tables: readonly string[] | null = null): Promise<StoredUid[]> {
  const columns = await owner.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column
    from information_schema.columns
    where table_schema = 'public' and data_type = 'uuid' and ($1::text[] is null or table_name = any($1))
    order by 1, 2`,
    [tables],
  );
  const selects = columns.map(({ table, column }) => {
    const of = column === "uid" ? table : column.replace(/_uid$/, "");
    return `(select distinct '${of}' as of, "${column}"::text as uid from "${table}" where "${column}" is not null order by 2 desc limit ${UIDS_PER_COLUMN})`;
  });
  return owner.query<{ of: string; uid: string }>(
    `select distinct of, uid from (${selects.join(" union all ")}) s order by 1, 2`,
  );
}
