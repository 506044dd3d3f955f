import type { Queryable, Tx } from "../../db/pool.ts";

export interface StoreTheme {
  /** Null: the dashboard's default. */
  readonly color: string | null;
  /** A name computed from the logo's content; null: there is no logo. */
  readonly logo: string | null;
}

const SELECT = `select color, left(encode(sha256(logo), 'hex'), 16) as logo
from store_theme`;

export async function selectTheme(queryable: Queryable): Promise<StoreTheme> {
  const [row] = await queryable.query<StoreTheme>(SELECT);
  return row ?? { color: null, logo: null };
}

export async function selectLogo(queryable: Queryable): Promise<Buffer | null> {
  const [row] = await queryable.query<{ logo: Buffer | null }>("select logo from store_theme");
  return row?.logo ?? null;
}

/** Stores the theme; an absent logo is not changed. */
export async function writeTheme(
  tx: Tx,
  { color, logo }: { readonly color: string | null; readonly logo?: Buffer | null | undefined },
): Promise<void> {
  await tx.execute("update store_theme set color = $1", [color]);
  if (logo !== undefined) await tx.execute("update store_theme set logo = $1", [logo]);
}
