/** The access to a bucket's store, by the usual variables of AWS, which S3-compatible stores use too. */
export interface ObjectStoreAccess {
  /** Null: the endpoint of AWS in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials; null: they are permanent. */
  readonly sessionToken: string | null;
  /** Ends every request with an error, so that what waits for a silent bucket can stop. */
  readonly signal?: AbortSignal;
}

/** A bucket, and the prefix of the names of all objects. */
export interface ObjectPlace {
  readonly bucketName: string;
  /** Without a slash at its ends; "": none. */
  readonly prefix: string;
}

const SCHEME = "s3://";
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that neither an object store nor XML escapes. */
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/;
const PREFIX_LENGTH_MAX = 400;

/** Whether a text has the form of a place in a bucket, valid or not. */
export function isObjectPlace(place: string): boolean {
  return place.startsWith(SCHEME);
}

/** Parses `s3://bucket/prefix`; null: another form. */
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

/** What a place in a bucket must be like, for messages. */
export const OBJECT_PLACE_RULE =
  's3://bucket/prefix, with a bucket name of 3 to 63 lowercase letters, digits, "." and "-", and a prefix of letters, digits, ".", "-", "_" and "/"';

/** Formats a place as `s3://bucket/prefix`. */
export function objectPlaceText({ bucketName, prefix }: ObjectPlace): string {
  return `${SCHEME}${bucketName}${prefix === "" ? "" : `/${prefix}`}`;
}

/**
 * Returns the URL of an object, or of the bucket for "". If the endpoint's host begins with the bucket's name, it is the bucket's own. Other
 * endpoints have the bucket in the path, and so has AWS if the name has dots, which its certificate does not cover.
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

const LISTING = /<ListBucketResult[\s>]/;
const LISTING_END = "</ListBucketResult>";

/**
 * Parses the XML of a listing (ListObjectsV2); null: the text is no complete listing, so nothing is known of what is there. Names with other characters
 * than the service's own are ignored.
 */
export function readListing(xml: string): Listing | null {
  if (!LISTING.test(xml) || !xml.trimEnd().endsWith(LISTING_END)) return null;
  const objects = blocksOf(xml, "Contents").map((block) => ({
    key: textOf(block, "Key"),
    bytes: Number(textOf(block, "Size")),
  }));
  const folders = blocksOf(xml, "CommonPrefixes").map((block) => textOf(block, "Prefix"));
  const isLast = textOf(xml, "IsTruncated") !== "true";
  const next = isLast ? "" : textOf(xml, "NextContinuationToken");
  if (!isLast && next === "") return null; // the rest cannot be asked for
  return {
    objects: objects.filter(({ key }) => KEY.test(key)),
    folders: folders.filter((folder) => KEY.test(folder)),
    next: next === "" ? null : next,
  };
}

/** Returns the failure in a response of an object store, without a full stop: `AccessDenied: Access Denied`; "" if it has none. */
export function readFailure(xml: string): string {
  const parts = [textOf(xml, "Code"), textOf(xml, "Message")].filter((part) => part !== "");
  return parts.join(": ").replace(/\s+/g, " ").slice(0, FAILURE_CHARS).replace(/\.$/, "");
}

const FAILURE_CHARS = 300;

/** A pattern would look for the end of each block to the end of the text: for hours, in a page that has only beginnings. */
function blocksOf(xml: string, name: string): string[] {
  const [begin, end] = [`<${name}>`, `</${name}>`];
  const blocks: string[] = [];
  for (let at = xml.indexOf(begin); at !== -1; at = xml.indexOf(begin, at)) {
    const from = at + begin.length;
    at = xml.indexOf(end, from);
    if (at === -1) break;
    blocks.push(xml.slice(from, at));
  }
  return blocks;
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
