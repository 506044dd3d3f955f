import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { longExamples } from "../../support/example-runs.ts";
import { firstSteps, OnePerson, step } from "../../support/one-person.ts";
import { type OrderFlow, startOrderFlow } from "../../support/order-flow.ts";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { expiration: { delay_months: null } } });
});
afterAll(() => flow.stop());

let stories = 0;

test("a person whose ids are deleted and merged, with orders that move between them, has in the end what one customer has", {
  timeout: 3_600_000,
}, async () => {
  const lives = fc.array(step, { minLength: 10, maxLength: 40, size: "max" });
  await fc.assert(
    fc.asyncProperty(fc.noBias(lives), async (steps) => {
      const person = await OnePerson.open(flow, `p${++stories}`);
      for (const doing of [...firstSteps, ...steps]) await person.does(doing);
      await person.end();
      const [several, one] = await person.seen();
      expect(several).toEqual(one);
    }),
    longExamples(6),
  );
  expect(await flow.faults()).toEqual([]);
});
