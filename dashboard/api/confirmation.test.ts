import { expect, test } from "vitest";
import { askForConfirmation, refuseConfirmation, whenConfirmationIsNeeded } from "./confirmation.ts";

test("all that wait for a confirmation are asked once, and the next change is asked about anew", async () => {
  let asked = 0;
  const stop = whenConfirmationIsNeeded(async () => {
    asked++;
    return asked === 1;
  });
  expect(await Promise.all([askForConfirmation(), askForConfirmation()])).toEqual([true, true]);
  expect([await askForConfirmation(), asked]).toEqual([false, 2]);
  stop();
  expect(await askForConfirmation()).toBe(false);
});

test("a question whose page was removed for the next person is refused, and the next person is asked", async () => {
  const left = Promise.withResolvers<boolean>();
  const leave = whenConfirmationIsNeeded(() => left.promise);
  const first = askForConfirmation();
  leave();
  refuseConfirmation();
  const stop = whenConfirmationIsNeeded(async () => true);
  const second = askForConfirmation();
  left.resolve(true);
  expect([await first, await second]).toEqual([false, true]);
  stop();
});
