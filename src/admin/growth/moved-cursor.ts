import type { MovedCustomer } from "../../growth/growth-share.ts";
import { decodeCursor, encodeCursor } from "../../http/paging.ts";
import type { Cursor } from "../list.ts";

type Position = Pick<MovedCustomer, "month" | "from" | "to" | "customerUid">;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The cursor of a list sorted by move, then by customer. */
export const movedCursor: Cursor<Position> = {
  format: ({ month, from, to, customerUid }) => encodeCursor([String(month), from, to, customerUid]),
  parse: (text) => {
    const [month = "", from = "", to = "", customerUid = ""] = decodeCursor(text) ?? [];
    const isValid = /^\d{5}$/.test(month) && [from, to, customerUid].every((uid) => UUID.test(uid));
    return isValid ? { month: Number(month), from, to, customerUid } : null;
  },
};
