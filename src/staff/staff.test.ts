import fc from "fast-check";
import { expect, test } from "vitest";
import { madePassword, normalEmail, normalName, passwordFault } from "./staff.ts";

test("e-mail addresses are kept in lower case, and what is none is refused", () => {
  expect(normalEmail("  Hanako@Store.Example ")).toBe("hanako@store.example");
  for (const text of ["", "hanako", "@store.example", "a b@store.example", "a@b@c", `${"a".repeat(65)}@b`]) {
    expect(normalEmail(text)).toBeNull();
  }
});

test("names have 1 to 100 characters", () => {
  expect(normalName(" 山田 花子 ")).toBe("山田 花子");
  expect([normalName("  "), normalName("あ".repeat(101))]).toEqual([null, null]);
});

test("passwords are long, and neither the address nor one key held down", () => {
  expect(passwordFault("correct horse", "a@b")).toBeNull();
  expect(passwordFault("ひらがなだけでもよいです", "a@b")).toBeNull();
  for (const password of ["short", "aaaaaaaaaaaaaaa", "Long@Store.example", "x".repeat(201)]) {
    expect(passwordFault(password, "long@store.example")).toMatch(/^expected /);
  }
});

test("a made password will do, and has no letters that look alike", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      expect(madePassword(bytes)).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
    }),
  );
  const bytes = Uint8Array.from({ length: 16 }, (_, i) => i * 7);
  expect(passwordFault(madePassword(bytes), "a@b")).toBeNull();
});
