import { assert, bigInt, property, stringMatching } from "fast-check";
import { describe, expect, test } from "vitest";
import { customerIdName } from "./payload-fields.ts";
import { findTopic, WEBHOOK_TOPICS } from "./topics/index.ts";
import { pointAllotmentCascade } from "./topics/point-allotment-cascade.ts";
import { type BalanceUpdateInput, pointBalanceUpdate } from "./topics/point-balance-update.ts";
import { pointBalancesExport } from "./topics/point-balances-export.ts";

const UID = "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884";
const CASCADE = {
  allottedAt: Temporal.Instant.from("2026-03-01T09:30:00.123456Z"),
  customerId: "820982911946154508",
  idField: "storefront_id",
  pointValue: -9_007_199_254_740_991n,
  type: "refund",
  uid: UID,
};
const UPDATE: BalanceUpdateInput = {
  acceptsMarketing: null,
  accountEnabled: null,
  balance: 1_320n,
  birthday: "1988-04-12",
  customerId: "gid-4567",
  idField: "shopify_id",
  name: '千葉 "Chi"',
  pointExpirationDate: Temporal.Instant.from("2027-03-01T15:00:00Z"),
  timeZone: "Asia/Tokyo",
  uid: UID,
};

describe("point_allotment/cascade", () => {
  test("to the letter, an id beyond 2^53 digit for digit", () => {
    expect(pointAllotmentCascade.payload(CASCADE)).toBe(
      '{"allotted_at":"2026-03-01T09:30:00.123456","customer":{"storefront_id":820982911946154508},' +
        `"point_value":-9007199254740991,"type":"refund","uid":"${UID}"}`,
    );
  });

  test("an id of digits is a number of these digits, any other a string", () => {
    const idOf = (customerId: string) =>
      /"storefront_id":(.*?)\},/.exec(pointAllotmentCascade.payload({ ...CASCADE, customerId }))?.[1];
    assert(property(bigInt({ min: 0n, max: 10n ** 30n }), (id) => idOf(String(id)) === String(id)));
    assert(property(stringMatching(/^[0-9a-z]{0,9}[a-z][0-9a-z]{0,9}$/), (id) => idOf(id) === `"${id}"`));
    expect(idOf("007")).toBe('"007"'); // no JSON number begins like this
    expect(idOf("0")).toBe("0");
  });
});

describe("point_balance/update", () => {
  test("to the letter, unknown consent false, unknown account true", () => {
    expect(pointBalanceUpdate.payload(UPDATE)).toBe(
      '{"accepts_marketing":false,"account_enabled":true,"balance":1320,"birthday":"1988-04-12",' +
        '"customer":{"shopify_id":"gid-4567"},"name":"千葉 \\"Chi\\"",' +
        `"point_expiration_date":"2027-03-02T00:00:00.000000+09:00","uid":"${UID}"}`,
    );
  });

  test("what is known is told, what is not is null", () => {
    const unknown = {
      ...UPDATE,
      name: null,
      birthday: null,
      pointExpirationDate: null,
      acceptsMarketing: true,
      accountEnabled: false,
    };
    expect(JSON.parse(pointBalanceUpdate.payload(unknown))).toMatchObject({
      accepts_marketing: true,
      account_enabled: false,
      birthday: null,
      name: null,
      point_expiration_date: null,
    });
  });

  test("a birthday without a year is null", () => {
    expect(JSON.parse(pointBalanceUpdate.payload({ ...UPDATE, birthday: "--02-29" })).birthday).toBeNull();
  });
});

describe("the list", () => {
  test("every topic is found by its name, the export also with its trailing letter, nothing else", () => {
    for (const { name } of WEBHOOK_TOPICS) expect(findTopic(name)).toBe(name);
    expect(findTopic("point_balances/exports")).toBe(pointBalancesExport.name);
    for (const name of ["", "point_balance/updates", "point_allotments/cascade", "orders/paid"])
      expect(findTopic(name)).toBeUndefined();
  });

  test("every sample has exactly the fields that its payload has", () => {
    const fields = (value: object) => Object.keys(value).sort();
    expect(fields(pointAllotmentCascade.sample)).toEqual(fields(JSON.parse(pointAllotmentCascade.payload(CASCADE))));
    expect(fields(pointBalanceUpdate.sample)).toEqual(fields(JSON.parse(pointBalanceUpdate.payload(UPDATE))));
    expect(pointBalancesExport.payload({ url: "https://a.test/?b=1&c=2" })).toBe('{"url":"https://a.test/?b=1&c=2"}');
    for (const { sample, schema } of WEBHOOK_TOPICS) expect(fields(sample)).toEqual(fields(schema.properties));
  });
});

test("the field of a customer's id bears the platform's name where it is set", () => {
  expect([customerIdName(undefined), customerIdName("shopify")]).toEqual(["storefront_id", "shopify_id"]);
});
