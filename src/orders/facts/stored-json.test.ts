import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUTURE, filesOf, readStored, type StoredFields, without, withUnknown } from "../../../test/support/stored.ts";
import { parseStatement, statementText } from "../../customers/tags/tag-history.ts";
import { renderStored } from "../../http/refusal.ts";
import { translateNeutral } from "../../platforms/neutral-wire.ts";
import { parseProgramDocument, programOf } from "../../program/program-document.ts";
import { completeProgramDocument, storedProgramDocument } from "../../program/program-merge.ts";
import { decodeRules, encodeRules, type OrderRules } from "../plan/order-rules.ts";
import { decodeFacts, encodeFacts, STATED_NAMES } from "./order-facts.ts";

const AT = Temporal.Instant.from("2026-07-01T12:00:00Z");
/** The values of an order's rules that an older release did not store. Add each new field here. */
const RULE_DEFAULTS: Partial<OrderRules> = {
  campaign: null,
  bonuses: new Map(),
  separateTax: false,
  pendingDays: 0,
  excludedProductTags: [],
  isCustomerExcluded: false,
  movedIn: { points: false, spend: false },
};

describe("rules of orders", () => {
  describe.each(filesOf("order-rules"))("%s", (file) => {
    const stored: StoredFields = readStored(file);
    const rules = decodeRules(stored);

    test("are read, and stored again with all that they had", () => {
      expect(JSON.parse(JSON.stringify(encodeRules(rules)))).toMatchObject(stored);
    });

    test("are read where a newer release stored more", () => {
      expect(decodeRules(withUnknown(stored))).toEqual(rules);
    });

    test("have the defaults of all fields that they lack", () => {
      const lacking = fc.subarray(Object.keys(RULE_DEFAULTS));
      fc.assert(
        fc.property(lacking, (names) => {
          const defaults = Object.fromEntries(Object.entries(RULE_DEFAULTS).filter(([name]) => names.includes(name)));
          expect(decodeRules(names.reduce(without, stored))).toEqual({ ...rules, ...defaults });
        }),
      );
    });

    test("are refused where a field without a default is missing", () => {
      for (const name of Object.keys(readStored("order-rules-0.1.0.json"))) {
        if (name in RULE_DEFAULTS) continue;
        expect(() => decodeRules(without(stored, name))).toThrow(TypeError);
      }
    });
  });

  test("hold nothing that a release did not store and that has no default", () => {
    const released = Object.keys(readStored("order-rules-0.1.0.json"));
    const present = Object.keys(Object(encodeRules(decodeRules(readStored("order-rules-0.1.0.json")))));
    expect(present.filter((name) => !released.includes(name) && !(name in RULE_DEFAULTS))).toEqual([]);
  });
});

describe("facts of orders", () => {
  describe.each(filesOf("order-facts"))("%s", (file) => {
    const stored = readStored(file);
    const facts = decodeFacts(stored);

    test("are read, and stored again as they were", () => {
      expect(JSON.parse(JSON.stringify(encodeFacts(facts)))).toEqual(stored);
    });

    test("are read where a newer release stored more", () => {
      expect(decodeFacts(withUnknown(stored))).toEqual(facts);
    });

    test.each(STATED_NAMES)("are read without %s, which then was never said", (name) => {
      const { [name]: _, ...stated } = facts.stated;
      expect(decodeFacts({ ...stored, stated: without(stored.stated, name) })).toEqual({ ...facts, stated });
    });
  });
});

describe("versions of the program", () => {
  describe.each(filesOf("program"))("%s", (file) => {
    const stored: StoredFields = readStored(file);
    const document = completeProgramDocument(stored);
    const kept = { version: 2, shortenedAt: null };

    test("keep what they say, and are what may be applied today", () => {
      expect(document).toMatchObject(stored);
      const parsed = parseProgramDocument(document, { previous: document, spareUids: [] });
      expect(parsed).toEqual({ kind: "document", document });
    });

    test("are stored again without a field that they lack: nodes of their release still take changes of them", () => {
      expect(storedProgramDocument(document)).toEqual(stored);
      const [bonus] = document.earning.bonus_collections;
      const earning = {
        ...document.earning,
        bonus_collections: bonus === undefined ? [] : [{ ...bonus, name: "Teas" }],
      };
      expect(storedProgramDocument({ ...document, earning })).toMatchObject({ earning });
    });

    test("are a program of today", () => {
      const names = document.tiers.rules.map(({ name }) => name);
      expect(programOf(document, kept).tiers.rules.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    });

    test("have the defaults of sections and fields that they lack", () => {
      const defaults = parseProgramDocument({}, { previous: document, spareUids: [] });
      if (defaults.kind === "faults") throw new Error("the default document has faults");
      for (const [section, value] of Object.entries(stored)) {
        if (Array.isArray(value)) continue;
        for (const name of Object.keys(Object(value)).filter((field) => field !== "rules")) {
          const older = { ...stored, [section]: without(Object(value), name) };
          expect(completeProgramDocument(older)).toHaveProperty(
            [section, name],
            Object(Object(defaults.document)[section])[name],
          );
        }
      }
    });

    test("have the defaults of fields that their tiers, campaigns and bonuses lack", () => {
      const older = structuredClone(Object(stored));
      delete older.campaigns[0].currency_value;
      delete older.campaigns[0].by_tier[Object.keys(older.campaigns[0].by_tier)[0] ?? ""].currency_value;
      delete older.tiers.rules[1].currency_value;
      delete older.earning.bonus_collections[0].ends_at;
      expect(completeProgramDocument(older)).toEqual(document);
    });

    test("are read where a newer release stored more, which stays", () => {
      expect(programOf(completeProgramDocument({ ...stored, ...FUTURE }), kept)).toEqual(programOf(document, kept));
      expect(completeProgramDocument({ ...stored, ...FUTURE })).toMatchObject(FUTURE);
    });
  });
});

describe("statements of tags", () => {
  test.each(filesOf("tag-statement"))("%s", (file) => {
    const stored: StoredFields = readStored(file);
    const statement = parseStatement(AT, JSON.stringify(stored));
    expect(JSON.parse(statementText(statement))).toEqual(stored);
    expect(parseStatement(AT, JSON.stringify(withUnknown(stored)))).toEqual(statement);
    expect(parseStatement(AT, JSON.stringify({ tags: stored["tags"] }))).toEqual({
      ...statement,
      added: [],
      removed: [],
    });
  });
});

describe("answers under an Idempotency-Key", () => {
  test.each(filesOf("idempotent-refusal"))("%s", (file) => {
    const { body } = readStored(file);
    expect(JSON.parse(renderStored(body, undefined))).toEqual({
      errors: [{ status: "400", title: "Point allotment would result in a negative balance" }],
    });
  });
});

describe("receipts of neutral events", () => {
  test.each(filesOf("receipts"))("%s", (file) => {
    for (const { topic, body } of readStored(file)) {
      const translation = translateNeutral(Buffer.from(JSON.stringify(body)), { receivedAt: AT, currency: "USD" });
      expect(translation.ok && translation.events.map(({ type }) => type)).toEqual([topic]);
    }
  });
});
