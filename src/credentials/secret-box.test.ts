import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretBox, SecretBoxError } from "./secret-box.ts";

const box = createSecretBox("a key");

describe("secret box", () => {
  test("opens what it sealed, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(box.open(box.seal(text))).toBe(text);
      }),
    );
  });

  test("seals the same text differently each time, and does not show it", () => {
    const sealed = box.seal("a secret text");
    expect(sealed.equals(box.seal("a secret text"))).toBe(false);
    expect(sealed.includes("secret")).toBe(false);
  });

  test("another key, or a changed byte, opens nothing", () => {
    const sealed = box.seal("a secret text");
    expect(() => createSecretBox("another key").open(sealed)).toThrow(SecretBoxError);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => box.open(changed)).toThrow(SecretBoxError);
    }
    expect(() => box.open(sealed.subarray(0, 20))).toThrow(SecretBoxError);
  });
});
