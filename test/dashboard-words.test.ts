import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const DASHBOARD = resolve(import.meta.dirname, "../dashboard");
const FILES = ["navigation.ts", ...globSync("{pages,shell,ui,words}/**/*.ts", { cwd: DASHBOARD })].filter(
  (file) => /words|navigation/.test(file) && !file.endsWith(".test.ts"),
);
/** What the service itself says in Japanese: in files, mails, alerts and explanations. */
const SERVICE_FILES = globSync("../src/{admin/csv,alerts,explain,imports,messages,reports,staff/links,wire}/*.ts", {
  cwd: DASHBOARD,
}).filter((file) => !file.endsWith(".test.ts") && /[぀-ヿ]/.test(readFileSync(resolve(DASHBOARD, file), "utf8")));
/** Texts in quotes; not what a comment says, nor a name. */
const TEXT = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** Texts that are found by the name that the service sends. */
const LOOKED_UP = /^pages\/audit\/|^words\/(?:glossary-words|message-kind-names)/;
/** Texts of Home that are found by a name with an addition: `setup_${step}`, `${flow}Before`. */
const PUT_TOGETHER = /^pages\/home\/words\.ts: (?:setup_\w+|\w+Before)$/;

test.each([
  ["member", /\bmembers?\b/i, "customer (docs/glossary.md)"],
  ["顧客", /顧客/, "会員"],
  ["担当者", /担当者/, "スタッフ: a person who signs in"],
  ["出荷", /出荷/, "発送"],
  ["最低保証ランク", /最低保証ランク/, "最低ランク"],
  ["書き出し", /書き出/, "エクスポート"],
  ["出力", /(?<!入)出力/, "エクスポート; of a statement, 明細を作成"],
  ["取消済み", /取消し?済み/, "取り消し済み"],
  ["取り込み", /取り?込(?!み? (?:取込|一括))/, "インポート; the search finds the page by the other words too"],
])("no screen says %s: one word for one thing", (_word, pattern, instead) => {
  const found = [...FILES, ...SERVICE_FILES].flatMap((file) => {
    const texts = readFileSync(resolve(DASHBOARD, file), "utf8").match(TEXT) ?? [];
    return texts.filter((text) => pattern.test(text)).map((text) => `${file}: ${text}`);
  });
  expect(FILES.length).toBeGreaterThan(60);
  expect(SERVICE_FILES.length).toBeGreaterThan(10);
  expect(found, `say ${instead}`).toEqual([]);
});

test("the names of reasons and origins of points are those of src/wire on every screen", () => {
  const named = FILES.filter((file) =>
    /^ +(?:compensation|migration|system_fix): "/m.test(readFileSync(resolve(DASHBOARD, file), "utf8")),
  );
  expect(named, "use REASON_NAMES or ORIGIN_NAMES").toEqual([]);
});

test("each text of a screen is used", () => {
  const users = globSync("**/*.{ts,tsx}", { cwd: DASHBOARD }).filter((file) => !FILES.includes(file));
  const used = new Set(users.flatMap((file) => readFileSync(resolve(DASHBOARD, file), "utf8").match(/\w+/g) ?? []));
  const unused = FILES.filter((file) => !LOOKED_UP.test(file)).flatMap((file) => {
    const text = readFileSync(resolve(DASHBOARD, file), "utf8");
    return [...text.matchAll(/^ {4}(\w+)[:(]/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => !used.has(name) && !new RegExp(`[.{] ?${name}\\b`).test(text))
      .map((name) => `${file}: ${name}`);
  });
  expect(used.size).toBeGreaterThan(3_000);
  expect(unused.filter((name) => !PUT_TOGETHER.test(name))).toEqual([]);
});

test("each note that the service writes with a receipt has a text in both languages", () => {
  const intake = resolve(DASHBOARD, "../src/intake");
  const sources = globSync("*.ts", { cwd: intake }).filter((file) => !file.endsWith(".test.ts"));
  const notes = sources.flatMap((file) =>
    [...readFileSync(resolve(intake, file), "utf8").matchAll(/\bnote: "([^"]+)"/g)].map(([, note = ""]) => note),
  );
  const words = readFileSync(resolve(DASHBOARD, "words/receipt-words.ts"), "utf8");
  expect(notes.length).toBeGreaterThan(3);
  expect(notes.filter((note) => words.split(`"${note}":`).length !== 3)).toEqual([]);
});
