import type { Deps } from "../../src/deps.ts";
import type { UploadKind } from "../../src/wire/import-fields.ts";
import type { Answer } from "./client.ts";
import { CSRF } from "./staff.ts";

/** The uploader: `AdminClient` with the URL to which it sends. */
export interface Uploader {
  readonly url: string;
  readonly cookie: string;
}

export interface UploadOptions {
  readonly kind?: UploadKind;
  readonly name?: string;
}

/** Sends a file's bytes like the dashboard. */
export async function upload(
  { url, cookie }: Uploader,
  content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { kind = "points", name = "points.csv" }: UploadOptions = {},
): Promise<Answer> {
  const isStream = content instanceof ReadableStream;
  const response = await fetch(`${url}/admin/api/imports?kind=${kind}&name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { ...CSRF, cookie, "content-type": "text/csv" },
    body: content,
    ...(isStream ? { duplex: "half" } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? undefined : JSON.parse(text) };
}

/** The settings that an upload suggests, some replaced by others. */
export function settingsOf(data: Record<string, unknown>, others: object = {}): object {
  const { encoding, separator, has_header, columns, options } = data;
  return { encoding, separator, has_header, columns, options, ...others };
}

/** Returns the points of a customer by storefront id. */
export async function balanceOf(deps: Pick<Deps, "db">, storefrontId: string): Promise<bigint> {
  const [row] = await deps.db.query<{ points: bigint }>(
    `select b.ledger_points as points
    from customer_alias a
    join balance b on b.bucket = a.bucket and b.customer_uid = a.customer_uid
    where a.storefront_id = $1`,
    [storefrontId],
  );
  return row?.points ?? -1n;
}
