import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { objectPlaceText, objectUrl, parseObjectPlace, readFailure, readListing } from "./object-place.ts";
import { openObjectStore } from "./open-object-store.ts";

describe("a place in a bucket", () => {
  test.each([
    ["s3://bucket", { bucketName: "bucket", prefix: "" }],
    ["s3://bucket/", { bucketName: "bucket", prefix: "" }],
    ["s3://my.bucket-1/shop/backups_2/", { bucketName: "my.bucket-1", prefix: "shop/backups_2" }],
  ])("%s", (text, place) => {
    expect(parseObjectPlace(text)).toEqual(place);
    expect(parseObjectPlace(objectPlaceText(place))).toEqual(place);
  });

  test.each([
    "/var/backups",
    "s3:/bucket/a",
    "s3://",
    "s3://B/a",
    "s3://bucket//a",
    "s3://bucket/a/../b",
    "s3://bucket/a&b",
    "s3://bucket/é",
  ])("%s is none", (text) => {
    expect(parseObjectPlace(text)).toBeNull();
  });

  test.each([
    ["bucket", null, "https://bucket.s3.eu-west-1.amazonaws.com/a/b"],
    ["my.bucket", null, "https://s3.eu-west-1.amazonaws.com/my.bucket/a/b"],
    ["bucket", "http://127.0.0.1:9000", "http://127.0.0.1:9000/bucket/a/b"],
    ["bucket", "https://host.example/s3/", "https://host.example/s3/bucket/a/b"],
    ["bucket", "https://bucket.oss.example.com", "https://bucket.oss.example.com/a/b"],
  ])("the address of an object in %s at %s", (bucketName, endpoint, url) => {
    expect(objectUrl({ bucketName, prefix: "" }, { endpoint, region: "eu-west-1" }, "a/b").href).toBe(url);
  });
});

describe("what a store of buckets says", () => {
  test("a page of a listing, without names that cannot be ours", () => {
    const xml = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>
      <IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b&#43;</NextContinuationToken>
      <Contents><Key>p/one</Key><Size>12</Size></Contents><Contents><Key>p/a&amp;b</Key><Size>1</Size></Contents>
      <CommonPrefixes><Prefix>p/folder/</Prefix></CommonPrefixes></ListBucketResult>`;
    expect(readListing(xml)).toEqual({
      objects: [{ key: "p/one", bytes: 12 }],
      folders: ["p/folder/"],
      next: "a&b+",
    });
    expect(readListing("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")?.next).toBeNull();
  });

  test("a listing that does not end is refused", async () => {
    const page = `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>`;
    const server = createServer((_request, response) => void response.end(page)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo; // cast: it listens on a port
    const keys = { accessKeyId: "a", secretAccessKey: "b", sessionToken: null };
    const access = { ...keys, region: "r", endpoint: `http://127.0.0.1:${port}` };
    const names = openObjectStore({ bucketName: "bucket", prefix: "" }, access).names("");
    await expect(names)
      .rejects.toThrow("something that is no object store")
      .finally(() => server.close());
  });

  test.each([
    "",
    "no XML",
    "<html>Welcome</html>",
    "<ListBucketResult><Contents><Key>a</Key>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
  ])("%j is no listing, rather than one of nothing", (text) => {
    expect(readListing(text)).toBeNull();
  });

  test("a page of 8 MB with nothing but beginnings is read once", () => {
    const begun = (name: string) => `<${name}>`.repeat(Math.floor(2 ** 23 / (name.length + 2)));
    expect(readListing(`<ListBucketResult>${begun("Contents")}</ListBucketResult>`)?.objects).toEqual([]);
    expect(readListing(begun("ListBucketResult"))).toBeNull();
  });

  test("a failure, or nothing", () => {
    expect(readFailure("<Error><Code>AccessDenied</Code><Message>not\nyours</Message></Error>")).toBe(
      "AccessDenied: not yours",
    );
    expect(readFailure("<Code>QuotaExceeded</Code><Message>The bucket is full.</Message>")).toBe(
      "QuotaExceeded: The bucket is full",
    );
    expect(readFailure("<html>502</html>")).toBe("");
    expect(readFailure(`<Code>${"x".repeat(1_000)}</Code>`)).toHaveLength(300);
  });
});
