import { formatInstant, localDate } from "../../time/store-time.ts";
import type { MembersAndGuests } from "./read-members-and-guests.ts";
import type { MembersAndGuestsAnswer } from "./schema.ts";

export function membersAndGuestsView(read: MembersAndGuests): MembersAndGuestsAnswer {
  const { sums, starts, timeZone, countedAt } = read;
  const sumsOf = (place: number, isGuest: boolean) => {
    const found = sums.find((sum) => sum.place === place && sum.isGuest === isGuest);
    return { orders: Number(found?.orders ?? 0n), revenue_minor: Number(found?.revenue ?? 0n) };
  };
  const months = starts.slice(1).map((end, place) => {
    const next = Temporal.PlainDate.from(localDate(end, timeZone));
    return {
      from: next.subtract({ months: 1 }).toString(),
      to: next.subtract({ days: 1 }).toString(),
      members: sumsOf(place, false),
      guests: sumsOf(place, true),
    };
  });
  return { data: months.reverse(), counted_at: countedAt === null ? null : formatInstant(countedAt) };
}
