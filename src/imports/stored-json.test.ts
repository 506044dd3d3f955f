import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filesOf, readStored, without, withUnknown } from "../../test/support/stored.ts";
import { DEFAULT_OPTIONS } from "./csv-import.ts";
import { optionsCodec, tierCodec } from "./import-codecs.ts";

describe("options of imports", () => {
  describe.each(filesOf("import-options"))("%s", (file) => {
    const stored = readStored(file);
    const options = optionsCodec.decode(stored);

    test("are read, and stored again with all that they had", () => {
      expect(optionsCodec.encode(options)).toMatchObject(stored);
    });

    test("are read where a newer release stored more", () => {
      expect(optionsCodec.decode(withUnknown(stored))).toEqual(options);
    });

    test("have the defaults of what they lack", () => {
      fc.assert(
        fc.property(fc.subarray(Object.keys(DEFAULT_OPTIONS)), (names) => {
          const defaults = Object.fromEntries(Object.entries(DEFAULT_OPTIONS).filter(([name]) => names.includes(name)));
          expect(optionsCodec.decode(names.reduce(without, stored))).toEqual({ ...options, ...defaults });
        }),
      );
    });
  });

  test("are the defaults where none were chosen yet", () => {
    expect(optionsCodec.decode({})).toEqual(DEFAULT_OPTIONS);
  });
});

describe("tiers before and after a row", () => {
  describe.each(filesOf("import-row"))("%s", (file) => {
    const rows = Object.entries(readStored(file));

    test.each(rows)("%s is read, and stored again with all that it had", (_, stored) => {
      expect(tierCodec.encode(tierCodec.decode(stored))).toMatchObject(Object(stored));
      expect(tierCodec.decode(withUnknown(stored))).toEqual(tierCodec.decode(stored));
    });

    test.each(rows)("%s is refused without a field that has no default", (_, stored) => {
      for (const name of Object.keys(readStored("import-row-0.1.0.json").after)) {
        expect(() => tierCodec.decode(without(Object(stored), name))).toThrow(TypeError);
      }
    });
  });

  test("have no field that a release did not store and that has no default", () => {
    const { after } = readStored("import-row-0.1.0.json");
    expect(Object.keys(Object(tierCodec.encode(tierCodec.decode(after)))).toSorted()).toEqual(
      Object.keys(after).toSorted(),
    );
  });
});
