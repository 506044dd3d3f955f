import { describe, expect, test } from "vitest";
import { createSecretBox } from "../credentials/secret-box.ts";
import { refuseSignature, signExport } from "./export-signature.ts";

const box = createSecretBox("a key");
const uid = "019ca8e7-7d10-7e5c-a3f4-0b9c6d2e8f51";
const signedAt = Temporal.Instant.from("2026-03-01T00:00:00.500Z");
const signed = { uid, ...signExport(box, uid, signedAt) };

describe("the signature of an address", () => {
  test("opens the file for one hour", () => {
    expect(refuseSignature(box, signed, signedAt)).toBeNull();
    expect(refuseSignature(box, signed, signedAt.add({ minutes: 59, seconds: 59 }))).toBeNull();
    expect(refuseSignature(box, signed, signedAt.add({ hours: 1 }))).toBe("gone");
  });

  test("opens no other file, at no other time, and no other service's", () => {
    expect(refuseSignature(box, { ...signed, uid: uid.replace("51", "52") }, signedAt)).toBe("forbidden");
    expect(refuseSignature(box, { ...signed, expires: "9999999999" }, signedAt)).toBe("forbidden");
    expect(refuseSignature(box, { ...signed, signature: "" }, signedAt)).toBe("forbidden");
    expect(refuseSignature(createSecretBox("another key"), signed, signedAt)).toBe("forbidden");
    const sealedElse = { ...signed, signature: box.seal("a subscription's secret").toString("base64url") };
    expect(refuseSignature(box, sealedElse, signedAt)).toBe("forbidden");
  });
});
