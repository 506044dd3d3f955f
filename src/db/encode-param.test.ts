import { describe, expect, test } from "vitest";
import { arrayTypes, encodeArray, type Param } from "./encode-param.ts";

const typeOf = (name: string) => {
  const [type] = arrayTypes(`select unnest($1::${name}[])`);
  if (type === undefined) throw new Error(`${name} has no binary form`);
  return type;
};

describe("the element types of a statement", () => {
  test("come from the casts, by position", () => {
    const types = arrayTypes("select * from unnest($2::uuid[], $1::bigint[]) where $3::uuid is null and x = any($4)");
    expect(types.map((type) => type?.oid)).toEqual([20, 2950]);
  });

  test("are none where the element has no binary form here", () => {
    expect(arrayTypes("select unnest($1::numeric[], $2::date[])")).toEqual([]);
  });
});

describe("values of another form than usual have none", () => {
  test.each<[string, Param]>([
    ["uuid", "0199c0de-0000-7000-8000-00000000000"],
    ["uuid", "0199c0de-0000-7000-8000-00000000000g"],
    ["uuid", "0199c0de00000-7000-8000-000000000000"],
    ["smallint", 32_768],
    ["integer", 1.5],
    ["integer", "7"],
    ["bigint", 2n ** 63n],
    ["boolean", "true"],
    ["timestamptz", "infinity"],
    ["text", 7],
  ])("%s %s", (name, value) => {
    expect(encodeArray([value], typeOf(name))).toBeUndefined();
  });
});
