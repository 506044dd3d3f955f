import { expect, test } from "vitest";
import { greetingName } from "./template.ts";

test("no name that mail programs make a link greets a customer: anybody may have registered another's address with it", () => {
  for (const name of [
    "Win at prize.example",
    "PRIZE.EXAMPLE",
    "Prize.Example/1",
    "http://a",
    "www.a",
    "a@b",
    "賞品.中国",
  ])
    expect([name, greetingName(name)]).toEqual([name, null]);
  for (const name of [
    "Hanako Yamada",
    "J. R. R. Tolkien",
    "J.R.R. Tolkien",
    "Sammy Davis Jr.",
    "山田 花子",
    "O'Neil-Smith 2.0",
  ])
    expect(greetingName(name)).toBe(name);
});
