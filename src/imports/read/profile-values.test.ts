import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsByPosition } from "./columns.ts";
import { profileValues } from "./profile-values.ts";

const COLUMNS = columnsByPosition("customers", 7);
const read = (...cells: string[]) => profileValues(cells, COLUMNS);
const codes = (...cells: string[]) => {
  const values = read(...cells);
  return "issues" in values ? values.issues.map(({ field, code }) => `${field} ${code}`) : [];
};

describe("a row of customers", () => {
  test("says what its cells say, and nothing where they are empty", () => {
    expect(read("7", "Hanako@Example.com", " 山田 花子 ", "1988-04-12", "はい", "no", "やまだ はなこ")).toEqual({
      storefrontId: "7",
      profile: {
        email: "hanako@example.com",
        name: "山田 花子",
        name_reading: "やまだ はなこ",
        birthday: "1988-04-12",
        accepts_marketing: true,
        account_enabled: false,
      },
    });
    expect(read("7", "", " ", "", "", "")).toEqual({ storefrontId: "7", profile: {} });
    expect(read("7")).toEqual({ storefrontId: "7", profile: {} });
    expect(read("7", "", "", "－－０４－１２")).toMatchObject({ profile: { birthday: "--04-12" } });
  });

  test.each([
    ["1988/4/12", "1988-04-12"],
    ["1988.04.12", "1988-04-12"],
    ["1988-4-1", "1988-04-01"],
    ["1988年4月12日", "1988-04-12"],
    ["１９８８／０４／１２", "1988-04-12"],
    ["4月12日", "--04-12"],
  ])("a birthday of %s is %s", (cell, birthday) => {
    expect(read("7", "", "", cell)).toMatchObject({ profile: { birthday } });
  });

  test.each(["4/12/1988", "12.04.1988", "1988/13/1", "1988/2/30", "1988/4-12", "88/4/12"])(
    "a birthday of %s is unclear",
    (cell) => expect(codes("7", "", "", cell)).toEqual(["birthday birthday_unclear"]),
  );

  test("may guard what a spreadsheet would run or round", () => {
    expect(read("'4567890123", "", "'=Hana", "'--04-12")).toEqual({
      storefrontId: "4567890123",
      profile: { name: "=Hana", birthday: "--04-12" },
    });
    expect(read("'abc")).toMatchObject({ storefrontId: "'abc" });
  });

  test.each([
    ["", "id id_missing"],
    ["hanako@example.com", "id id_is_email"],
    ["1".repeat(1_001), "id id_too_long"],
    ["長".repeat(867), "id id_too_long"],
    ["😀".repeat(651), "id id_too_long"],
    ["7.12346E+12", "id id_rounded"],
    ["7,12346e+12", "id id_rounded"],
    ["７．１２３４６Ｅ＋１２", "id id_rounded"],
    ["5E+15", "id id_rounded"],
    ["a\0b", "id text_unclean"],
  ])("an id of %j has the issue %s", (id, issue) => expect(codes(id)).toEqual([issue]));

  test.each(["1".repeat(1_000), "長".repeat(866), "😀".repeat(650), "7.5", "7E12", "ABC-7E+12"])(
    "an id of %j is taken",
    (id) => expect(codes(id)).toEqual([]),
  );

  test("tells all that is wrong with it", () => {
    expect(codes("", "hanako", "あ".repeat(256), "1988-02-30", "perhaps", "2")).toEqual([
      "id id_missing",
      "email email_unclear",
      "name name_too_long",
      "birthday birthday_unclear",
      "accepts_marketing marketing_unclear",
      "account_enabled account_unclear",
    ]);
    expect(codes("7", "", "😀".repeat(255))).toEqual([]);
    expect(codes("7", "", "a\0")).toEqual(["name text_unclean"]);
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 7 }), (cells) => {
        expect(["issues", "profile"].filter((field) => field in read(...cells))).toHaveLength(1);
      }),
    );
  });
});
