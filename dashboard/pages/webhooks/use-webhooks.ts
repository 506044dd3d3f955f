import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  DeliveryAnswer,
  DeliveryPage,
  FailedAnswer,
  ReplayAllAnswer,
  SubscriptionList,
} from "../../../src/admin/webhooks/schema.ts";
import { apiGet, apiQuery, apiSend, dataQuery } from "../../api/client.ts";
import { countQuery } from "../../ui/lists/count-query.ts";
import { notifyUnlessField } from "../../ui/states/notify-failed.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";

const KEY = "webhooks";
/** Deliveries continue while the page is open. */
const REFRESH_MS = 10_000;

export const NO_FILTER = { state: "all", topic: "", since: "", until: "", after: "" };
export type DeliveryFilter = Readonly<typeof NO_FILTER>;

export function useDeliveryFilter() {
  return useUrlState(NO_FILTER);
}

/** Returns the search part of an address with the filter. */
export function filterSearch(filter: DeliveryFilter): string {
  return writeSearch({ ...filter, state: filter.state === NO_FILTER.state ? "" : filter.state });
}

export const RECEIVERS_QUERY = {
  queryKey: [KEY, "subscriptions"],
  queryFn: dataQuery<SubscriptionList["data"]>("/webhooks/subscriptions"),
};

export function useReceivers() {
  return useQuery({ ...RECEIVERS_QUERY, refetchInterval: REFRESH_MS });
}

export const deliveriesQuery = (filter: DeliveryFilter) => ({
  queryKey: [KEY, "deliveries", filter],
  queryFn: apiQuery<DeliveryPage>("/webhooks/deliveries", filter),
});

export function useDeliveries(filter: DeliveryFilter) {
  return useQuery({
    ...deliveriesQuery(filter),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

export const deliveriesCountQuery = (filter: DeliveryFilter) =>
  countQuery(KEY, "/webhooks/deliveries/count", { filter, isMoving: true });

export function useDelivery(uid: string) {
  return useQuery({
    queryKey: [KEY, "delivery", uid],
    queryFn: async ({ signal }) => (await apiGet<DeliveryAnswer>(`/webhooks/deliveries/${uid}`, {}, signal)).data,
    refetchInterval: REFRESH_MS,
  });
}

/** A delivery that is sent again is attempted within moments, and the page shows its end: what is here is read again until then. */
const SOON_MS = [1_000, 2_000, 4_000, 7_000];

export function useReadSoon(): () => void {
  const client = useQueryClient();
  return () => {
    for (const ms of SOON_MS) setTimeout(() => void client.invalidateQueries({ queryKey: [KEY] }), ms);
  };
}

export interface FailedQuery {
  readonly since: string;
  readonly topic: string;
}

export function useFailedCount(query: FailedQuery) {
  return useQuery({
    queryKey: [KEY, "failed", query],
    queryFn: async ({ signal }) =>
      (await apiGet<FailedAnswer>("/webhooks/deliveries/failed", { ...query }, signal)).data,
    placeholderData: keepPreviousData,
  });
}

/** Sends a change, reads everything here again, then calls `onDone`. The fault of a field is shown beside it. */
export function useChange<Input, Answer>(send: (input: Input) => Promise<Answer>, onDone: (answer: Answer) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (answer) => {
      onDone(answer);
      await client.invalidateQueries({ queryKey: [KEY] });
    },
    onError: notifyUnlessField,
  });
}

/** Sends a body to a path of the subscriptions, for example `/rotate`. */
export function toSubscription<Answer>(method: "POST" | "DELETE", path: string) {
  return (body: object) => apiSend<Answer>(method, `/webhooks/subscriptions${path}`, body);
}

/** Sends failed deliveries again, in pieces until there are no more; returns the number. */
export async function replayAll({ since, topic }: FailedQuery): Promise<number> {
  const body = { ...(since === "" ? {} : { since }), ...(topic === "" ? {} : { topic }) };
  for (let replayed = 0; ; ) {
    const { data } = await apiSend<ReplayAllAnswer>("POST", "/webhooks/deliveries/replay", body);
    replayed += data.replayed;
    if (!data.has_more) return replayed;
  }
}
