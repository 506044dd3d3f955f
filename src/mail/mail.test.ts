import fc from "fast-check";
import { expect, test } from "vitest";
import {
  contentOf,
  contentText,
  isMailAddress,
  type Mail,
  mailFailureOf,
  mailFault,
  mailRetryS,
  waitingMax,
} from "./mail.ts";

const MAIL: Mail = {
  idempotencyKey: "reset/1",
  category: "access",
  to: "hana@store.example",
  subject: "パスワードの再設定",
  text: "text",
  html: "<p>html</p>",
};

test("a mail that can be sent has no fault, and nothing in it ends a header", () => {
  expect(mailFault(MAIL)).toBeNull();
  for (const part of [
    { to: "a@b.example\r\nBcc: c@d.example" },
    { to: "a@b.example, c@d.example" },
    { to: "Hana <a@b.example>" },
    { subject: "one\nBcc: c@d.example" },
    { subject: " " },
    { idempotencyKey: "" },
    { unsubscribeUrl: "https://store.example/x>\r\nBcc: c" },
    { unsubscribeUrl: "mailto:x@y.example" },
    { attachments: [{ name: "a\r\nb", type: "text/csv", content: Buffer.alloc(1) }] },
    { attachments: [{ name: "a", type: "text/csv", content: Buffer.alloc(8 * 1_048_576) }] },
  ] satisfies Partial<Mail>[])
    expect(mailFault({ ...MAIL, ...part })).not.toBeNull();
});

test("no text with a line break is an address", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("\r", "\n", "\u0000"), fc.string(), (a, mark, b) => {
      expect(isMailAddress(`${a}${mark}${b}`)).toBe(false);
    }),
  );
});

test("a content is read as it was written", () => {
  const mail = { ...MAIL, attachments: [{ name: "a.csv", type: "text/csv", content: Buffer.from([0, 255]) }] };
  expect(contentOf(contentText(mail))).toEqual({
    text: "text",
    html: "<p>html</p>",
    attachments: [{ name: "a.csv", type: "text/csv", base64: "AP8=" }],
  });
});

test("mails of people are taken after letters to customers have filled their share", () => {
  expect(waitingMax("access")).toBeGreaterThan(waitingMax("customer"));
});

test("attempts end after about two days", () => {
  const waits: number[] = [];
  for (let n = 1; ; n++) {
    const waitS = mailRetryS(n);
    if (waitS === null) break;
    waits.push(waitS);
  }
  const hours = waits.reduce((sum, s) => sum + s, 0) / 3_600;
  expect(hours).toBeGreaterThan(40);
  expect(hours).toBeLessThan(60);
});

test.for([
  [
    { code: "EENVELOPE", responseCode: 550, response: "550 no such user\r\nmore" },
    "refused",
    "EENVELOPE: 550 no such user",
  ],
  [{ code: "EENVELOPE", responseCode: 450, response: "450 busy" }, "later", "EENVELOPE: 450 busy"],
  [{ code: "EMESSAGE", responseCode: 503, response: "503 bad sequence" }, "later", "EMESSAGE: 503 bad sequence"],
  [{ code: "EMESSAGE", responseCode: 421 }, "server", "EMESSAGE: 421"],
  [{ code: "EAUTH", responseCode: 535, response: "535 no" }, "server", "EAUTH: 535 no"],
  [{ code: "ECONNECTION" }, "server", "ECONNECTION"],
  [
    { code: "ESOCKET", message: "connect ECONNREFUSED 127.0.0.1:25" },
    "server",
    "ESOCKET: connect ECONNREFUSED 127.0.0.1:25",
  ],
  [{ code: "EMESSAGE", message: "for a@b.example" }, "later", "EMESSAGE"],
  [new Error("a secret"), "server", "error"],
  [null, "server", "error"],
] as const)("%j is %s", ([error, kind, text]) => {
  expect(mailFailureOf(error)).toEqual({ kind, text });
});
