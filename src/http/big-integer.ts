import { type TUnsafe, Type } from "typebox";

/** A JSON integer in an answer, which is a bigint inside the service: points (program.md 1). */
export function BigInteger(options: {
  readonly description?: string;
  readonly examples?: number[];
}): TUnsafe<bigint> & { readonly type: "integer" } {
  const schema = { ...options, type: "integer" } as const;
  return { ...Type.Unsafe<bigint>(schema), ...schema };
}
