import fc from "fast-check";
import { expect, test } from "vitest";
import { createCustomerTable } from "./customer-table.ts";

// few different bytes, so that uids share places and parts
const uid = fc.array(fc.constantFrom(0, 1, 255), { minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes));

test("numbers each uid once, in the order in which they come, up to its size", () => {
  fc.assert(
    fc.property(fc.array(uid, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (uids, max) => {
      const table = createCustomerTable(max);
      const model = new Map<string, number>();
      for (const bytes of uids) {
        const key = bytes.toString("hex");
        const isFull = model.size === max && !model.has(key);
        if (!model.has(key) && !isFull) model.set(key, model.size);
        const padded = Buffer.concat([Buffer.alloc(3), bytes]);
        expect(table.add(padded, 3)).toBe(isFull ? null : model.get(key));
      }
      for (const bytes of uids) expect(table.find(bytes, 0)).toBe(model.get(bytes.toString("hex")) ?? null);
      expect(table.count()).toBe(model.size);
    }),
  );
});
