import type { StayGroup, StayPlace } from "../../growth/stay-queries.ts";
import { decodeCursor, encodeCursor } from "../../http/paging.ts";
import type { Cursor } from "../list.ts";

type Position = StayGroup & StayPlace;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MONTH = /^\d{5}$/;
const BUCKET = /^\d{1,3}$/;

/** The cursor of a list sorted by group of stays, then by the beginning of the stay. */
export const stayCursor: Cursor<Position> = {
  format: ({ tierUid, until, since, bucket, customerUid }) =>
    encodeCursor([tierUid, String(until), String(since), String(bucket), customerUid]),
  parse: (text) => {
    const [tierUid = "", until = "", since = "", bucket = "", customerUid = ""] = decodeCursor(text) ?? [];
    const isValid =
      [tierUid, customerUid].every((uid) => UUID.test(uid)) &&
      [until, since].every((month) => MONTH.test(month)) &&
      BUCKET.test(bucket);
    return isValid
      ? { tierUid, until: Number(until), since: Number(since), bucket: Number(bucket), customerUid }
      : null;
  },
};
