import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWooService, type WooService, wooOrder } from "../../support/woocommerce.ts";

/** 1 point per dollar of goods and their tax, rounded down: of the fixture 6.00 + 12.00 and 1.35. Its shipping of 10.00 earns nothing. */
let service: WooService;

beforeAll(async () => {
  service = await startWooService();
});
afterAll(() => service.stop());

const at = (day: number) => ({ date_modified_gmt: `2026-03-${String(day).padStart(2, "0")}T10:00:00` });
const order = (id: number, fields: object) => wooOrder({ id, number: `${id}`, customer_id: id, ...fields });
const UNPAID = { date_paid_gmt: null };
const line = (fields: object) => ({
  ...{ id: 1, name: "Tea", product_id: 93, variation_id: 0, quantity: 1 },
  ...{ subtotal: "20.00", subtotal_tax: "0.00", total: "20.00", total_tax: "0.00", ...fields },
});

describe("who is heard", () => {
  test("the ping of a new webhook is answered and stores nothing; no other form is", async () => {
    expect((await service.ping("webhook_id=12")).status).toBe(200);
    for (const form of ["webhook_id=12&x=1", "webhook_id=", "id=12", `webhook_id=${"1".repeat(60)}`]) {
      expect((await service.ping(form)).status).toBe(401);
    }
    expect(await service.deps.db.query("select from receipt")).toHaveLength(0);
  });

  test("another secret and another store are refused", async () => {
    expect((await service.deliver("order.updated", order(1, {}), { secret: "guessed" })).status).toBe(401);
    expect((await service.deliver("order.updated", order(1, {}), { store: "https://other.example/" })).status).toBe(
      401,
    );
    expect((await service.deliver("coupon.updated", { id: 1 }, { store: "HTTP://Tea.example" })).status).toBe(200);
  });
});

describe("an order's life", () => {
  test("placed, paid, completed, refunded in part and whole", async () => {
    await service.send("order.created", order(100, { status: "pending", ...UNPAID }));
    expect(await service.balance(100)).toBe(0);
    await service.send("order.updated", order(100, { status: "processing", ...at(2) }));
    expect(await service.balance(100)).toBe(0);
    await service.send("order.updated", order(100, { status: "completed", ...at(3) }));
    expect(await service.balance(100)).toBe(19);
    const third = { id: 900, reason: "", total: "-6.45" }; // a third of goods and tax: 19.35
    await service.send("order.updated", order(100, { status: "completed", refunds: [third], ...at(4) }));
    expect(await service.balance(100)).toBe(12);
    const rest = { id: 901, reason: "", total: "-22.90" };
    await service.send("order.updated", order(100, { status: "refunded", refunds: [rest, third], ...at(5) }));
    expect(await service.balance(100)).toBe(0);
  });

  test("bodies that come twice and in any order end the same", async () => {
    const refund = { id: 902, reason: "", total: "-6.45" };
    const bodies = [
      order(101, { status: "completed", refunds: [refund], ...at(4) }),
      order(101, { status: "pending", ...UNPAID }),
      order(101, { status: "completed", ...at(3) }),
    ];
    for (const body of [...bodies, ...bodies]) await service.send("order.updated", body);
    expect(await service.balance(101)).toBe(12);
  });

  test("a paid order that is cancelled gives its points back; an unpaid one may still be paid", async () => {
    await service.send("order.updated", order(102, { status: "completed", ...at(3) }));
    expect(await service.balance(102)).toBe(19);
    await service.send("order.updated", order(102, { status: "cancelled", ...at(4) }));
    expect(await service.balance(102)).toBe(0);
    await service.send("order.updated", order(103, { status: "cancelled", ...UNPAID, ...at(2) }));
    await service.send("order.updated", order(103, { status: "completed", ...at(3) }));
    expect(await service.balance(103)).toBe(19);
  });

  test("cash on delivery: processing is unpaid, so that a cancellation returns the coupon, and completed is paid", async () => {
    const cod = { payment_method: "cod", ...UNPAID };
    await service.client.put("/api/storefront/customers/106", {});
    await service.client.post("/api/storefront/point_allotments", { customer_id: "106", point_value: 500 });
    const coupon = await service.client.post("/api/storefront/coupons", { customer_id: "106", point_value: 500 });
    const code = coupon.body.data.code.toLowerCase();
    const coupon_lines = [{ id: 5, code, discount: "5.00", discount_tax: "0.00" }];
    const used = { ...cod, line_items: [line({ total: "15.00" })], coupon_lines };
    await service.send("order.created", order(106, { status: "processing", ...used, ...at(2) }));
    expect(await service.balance(106)).toBe(0);
    await service.send("order.updated", order(106, { status: "cancelled", ...used, ...at(3) }));
    expect(await service.balance(106)).toBe(500);
    await service.send("order.created", order(107, { status: "processing", ...cod, ...at(2) }));
    await service.send("order.updated", order(107, { status: "completed", ...cod, ...at(3) }));
    expect(await service.balance(107)).toBe(19);
  });

  test("an order from the history was shipped when it was completed, not when it last changed", async () => {
    const times = { date_completed_gmt: "2026-03-04T10:00:00", ...at(20) };
    await service.send("order.updated", order(108, { status: "completed", ...times }));
    const rows = await service.deps.db.query<{ at: Temporal.Instant }>(
      "select credited_at as at from order_spend where order_id = '108'",
    );
    expect(rows.map(({ at: creditedAt }) => creditedAt.toString())).toEqual(["2026-03-04T10:00:00Z"]);
  });

  test("an edit that leaves the time of the last change as it was: the body that came later counts", async () => {
    const completed = (fields: object) => order(130, { status: "completed", ...at(1), ...fields });
    const units = (quantity: number) => {
      const sum = `${quantity * 20}.00`;
      return completed({ line_items: [line({ quantity, subtotal: sum, total: sum })], total: sum, total_tax: "0.00" });
    };
    const two = completed({
      line_items: [line({}), line({ id: 2, subtotal: "5.00", total: "5.00" })],
      ...{ total: "25.00", total_tax: "0.00" },
    });
    const points = new Map<object, number>([
      [units(1), 20],
      [units(3), 60],
      [units(2), 40],
      [two, 25],
      [units(1), 20],
    ]);
    for (const [body, balance] of points) {
      await service.send("order.updated", body);
      expect(await service.balance(130)).toBe(balance);
      service.clock.advance({ minutes: 1 });
    }
  });

  test("an order that is completed in the second in which it was placed: the first body, which comes last, takes nothing back", async () => {
    await service.send("order.updated", order(131, { status: "completed", ...at(1) }));
    service.clock.advance({ seconds: 1 });
    await service.send("order.created", order(131, { status: "pending", ...UNPAID, ...at(1) }));
    expect(await service.balance(131)).toBe(19);
    const [row] = await service.deps.db.query<{ stated: object }>(
      "select facts -> 'stated' as stated from store_order where order_id = '131'",
    );
    expect(row?.stated).toMatchObject({ financialStatus: "paid", isFulfilledWhole: true });
  });

  test("a state of a plugin after completion takes nothing back", async () => {
    await service.send("order.updated", order(104, { status: "completed", ...at(3) }));
    await service.send("order.updated", order(104, { status: "wc-in-the-shop", ...at(4) }));
    expect(await service.balance(104)).toBe(19);
  });

  test("a state of a plugin of an order that became known after its completion", async () => {
    const times = { date_completed_gmt: "2026-03-04T10:00:00", ...at(20) };
    await service.send("order.updated", order(109, { status: "wc-in-the-shop", ...times }));
    expect(await service.balance(109)).toBe(19);
  });

  test("drafts and what is in the bin say nothing", async () => {
    for (const status of ["checkout-draft", "trash"]) await service.send("order.updated", order(105, { status }));
    expect(await service.balance(105)).toBeUndefined();
  });
});

describe("the amounts", () => {
  const completed = (id: number, fields: object) =>
    service.send("order.updated", order(id, { status: "completed", ...at(3), ...fields }));

  test("a coupon lowers what is earned", async () => {
    const coupon_lines = [{ id: 5, code: "five", discount: "5.00", discount_tax: "0.00" }];
    await completed(110, { line_items: [line({ total: "15.00" })], coupon_lines });
    expect(await service.balance(110)).toBe(15);
  });

  test("a fee earns nothing, and one below 0 is a discount", async () => {
    await completed(111, {
      line_items: [line({})],
      fee_lines: [{ id: 6, name: "Gift wrap", total: "2.00", total_tax: "0.00" }],
      ...{ total: "32.00", total_tax: "0.00" },
    });
    expect(await service.balance(111)).toBe(20);
    await completed(112, {
      line_items: [line({})],
      fee_lines: [{ id: 6, name: "Friend of the shop", total: "-3.00", total_tax: "0.00" }],
      ...{ total: "27.00", total_tax: "0.00" },
    });
    expect(await service.balance(112)).toBe(17);
  });

  test("a negative fee with tax, given back in full, leaves no points", async () => {
    const body = {
      line_items: [line({ total_tax: "4.00" })],
      fee_lines: [{ id: 6, name: "Friend of the shop", total: "-10.00", total_tax: "-2.00" }],
      ...{ total: "12.00", total_tax: "2.00", shipping_total: "0.00" },
    };
    await completed(113, body);
    expect(await service.balance(113)).toBe(12);
    await completed(113, { ...body, refunds: [{ id: 903, reason: "", total: "-12.00" }], ...at(4) });
    expect(await service.balance(113)).toBe(0);
  });
});

describe("people", () => {
  const nameOf = async (id: number) => (await service.client.get(`/api/storefront/customers/${id}`)).body.data.name;
  const account = (id: number, last_name: string, day: string) => ({
    ...{ id, email: `${id}@example.com`, first_name: "Mio", last_name, is_paying_customer: true },
    ...{ date_created_gmt: "2026-02-01T10:00:00", date_modified_gmt: `2026-02-${day}T10:00:00` },
  });
  const billedTo = (id: number, name: string) =>
    order(id, { billing: { first_name: name, last_name: "", email: "x@example.com" } });

  test("a name on a bill is the customer's only until the account states one", async () => {
    await service.send("order.updated", billedTo(122, "Tea House Ltd"));
    expect(await nameOf(122)).toBe("Tea House Ltd");
    await service.send("customer.updated", account(122, "Abe", "02"));
    expect(await nameOf(122)).toBe("Mio Abe");
    await service.send("order.updated", billedTo(122, "Somebody Else"));
    expect(await nameOf(122)).toBe("Mio Abe");
  });

  test("the reading of a name on a bill is the customer's only until the account states one", async () => {
    const read = async () =>
      (await service.client.get("/api/storefront/customers/124/data")).body.data.customers[0].name_reading;
    const meta = (beginning: string, value: string) => [{ id: 1, key: `${beginning}yomigana_last_name`, value }];
    await service.send("order.updated", { ...billedTo(124, "東海林"), meta_data: meta("_billing_", "とうかいりん") });
    expect(await read()).toBe("とうかいりん");
    const stated = { ...account(124, "Abe", "02"), meta_data: meta("billing_", "しょうじ") };
    await service.send("customer.updated", stated);
    await service.send("order.updated", { ...billedTo(124, "鈴木"), meta_data: meta("_billing_", "すずき") });
    expect(await read()).toBe("しょうじ");
    await service.send("customer.updated", { ...account(124, "Abe", "03"), meta_data: meta("billing_", "") });
    expect(await read()).toBeNull();
  });

  test("a bill without a name leaves the customer's", async () => {
    await service.client.put("/api/storefront/customers/123", { name: "Rin Ito" });
    await service.send("order.updated", billedTo(123, ""));
    expect(await nameOf(123)).toBe("Rin Ito");
  });

  test("a guest's order waits for the account of its e-mail", async () => {
    const billing = { first_name: "Mio", last_name: "Abe", email: "Mio@example.com" };
    await service.send("order.updated", order(120, { status: "completed", customer_id: 0, billing, ...at(3) }));
    await service.send("customer.created", {
      ...{ id: 121, email: "mio@example.com", first_name: "Mio", last_name: "Abe", role: "customer" },
      ...{ date_created_gmt: "2026-03-05T10:00:00", date_modified_gmt: null, is_paying_customer: false },
    });
    const customer = await service.client.get("/api/storefront/customers/121");
    expect(customer.body.data).toMatchObject({ name: "Mio Abe", email: "mio@example.com", account_enabled: true });
    expect(await service.balance(121)).toBe(19);
  });
});
