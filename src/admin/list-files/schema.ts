import { type Static, Type } from "typebox";

export const chosenCustomersBody = Type.Object({
  customers: Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: 500 }),
});
export const chosenCustomersAnswer = Type.Object({ data: Type.Object({ name: Type.String(), text: Type.String() }) });
export type ChosenCustomersAnswer = Static<typeof chosenCustomersAnswer>;
