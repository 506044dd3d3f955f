/** How the store of a bucket is reached: the usual variables of AWS, which S3-compatible stores take too. */
export interface ObjectStoreAccess {
  /** Null: that of AWS in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that end; null: they do not. */
  readonly sessionToken: string | null;
}

/** A bucket, and the start that the names of all objects have there. */
export interface ObjectPlace {
  readonly bucketName: string;
  /** Without a slash at its ends; "": none. */
  readonly prefix: string;
}

const SCHEME = "s3://";
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** What no store of buckets and no XML writes in another way. */
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/;
const PREFIX_LENGTH_MAX = 400;

/** Whether a place is named as one in a bucket, right or wrong. */
export function isObjectPlace(place: string): boolean {
  return place.startsWith(SCHEME);
}

/** Reads `s3://bucket/prefix`; null: it is not written so. */
export function parseObjectPlace(place: string): ObjectPlace | null {
  const [bucketName = "", ...rest] = place.slice(SCHEME.length).replace(/\/+$/, "").split("/");
  const prefix = rest.join("/");
  const isFine =
    isObjectPlace(place) &&
    BUCKET_NAME.test(bucketName) &&
    prefix.length <= PREFIX_LENGTH_MAX &&
    (prefix === "" || PREFIX.test(prefix)) &&
    !rest.some((part) => part === "." || part === "..");
  return isFine ? { bucketName, prefix } : null;
}

/** Writes a place as it is named: `s3://bucket/prefix`. */
export function objectPlaceText({ bucketName, prefix }: ObjectPlace): string {
  return `${SCHEME}${bucketName}${prefix === "" ? "" : `/${prefix}`}`;
}

/**
 * The address of an object, or of the bucket for "". An endpoint whose host begins with the bucket's name is that of the bucket; other
 * endpoints have the bucket in the path, and so has AWS where the name has dots, which its certificate does not cover.
 */
export function objectUrl(
  { bucketName }: ObjectPlace,
  { endpoint, region }: Pick<ObjectStoreAccess, "endpoint" | "region">,
  key: string,
): URL {
  const usual = `https://${bucketName.includes(".") ? "" : `${bucketName}.`}s3.${region}.amazonaws.com`;
  const url = new URL(endpoint ?? usual);
  const isOfBucket = url.hostname.startsWith(`${bucketName}.`);
  url.pathname = [url.pathname.replace(/\/+$/, ""), ...(isOfBucket ? [] : [bucketName]), key].join("/");
  return url;
}

/** One page of a listing. */
export interface Listing {
  readonly objects: readonly { readonly key: string; readonly bytes: number }[];
  readonly folders: readonly string[];
  /** Null: it is the last one. */
  readonly next: string | null;
}

const KEY = /^[\w./-]+$/;

/** Reads the XML of a listing (ListObjectsV2). Names with other characters than ours are not ours, and left out. */
export function readListing(xml: string): Listing {
  const objects = blocksOf(xml, "Contents").map((block) => ({
    key: textOf(block, "Key"),
    bytes: Number(textOf(block, "Size")),
  }));
  const folders = blocksOf(xml, "CommonPrefixes").map((block) => textOf(block, "Prefix"));
  const next = textOf(xml, "IsTruncated") === "true" ? textOf(xml, "NextContinuationToken") : "";
  return {
    objects: objects.filter(({ key }) => KEY.test(key)),
    folders: folders.filter((folder) => KEY.test(folder)),
    next: next === "" ? null : next,
  };
}

/** Reads what a store of buckets says of a failure: `AccessDenied: Access Denied`; "" where it says nothing. */
export function readFailure(xml: string): string {
  const parts = [textOf(xml, "Code"), textOf(xml, "Message")].filter((part) => part !== "");
  return parts.join(": ").replace(/\s+/g, " ").slice(0, FAILURE_CHARS);
}

const FAILURE_CHARS = 300;

function blocksOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].map(([, block = ""]) => block);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function textOf(xml: string, name: string): string {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
  return found.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (all, entity, number, hex) => {
    if (entity !== undefined) return ENTITIES[entity] ?? all;
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
    return code <= CODE_MAX ? String.fromCodePoint(code) : all;
  });
}

const CODE_MAX = 0x10_ff_ff;
