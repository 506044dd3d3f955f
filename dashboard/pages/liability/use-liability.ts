import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { NamedMovements } from "../../../src/admin/liability/schema.ts";
import type { LiabilityReport } from "../../../src/liability/schema.ts";
import { apiGet, apiSend, dataQuery } from "../../api/client.ts";

/** The integers of the service are numbers here. */
type Wire<T> = T extends bigint
  ? number
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Wire<T[Key]> }
      : T;

export type Report = Wire<LiabilityReport>;
export type Deferral = NonNullable<Report["revenue"]>["total"];
type Movements = Wire<NamedMovements>;
export type MovementRow = Movements["data"][number];

const KEY = "liability";

export const liabilityQuery = (month: string) => ({
  queryKey: [KEY, "report", month],
  queryFn: dataQuery<Report>("/liability", month === "" ? {} : { month }),
});

export function useLiability(month: string) {
  return useQuery({ ...liabilityQuery(month), placeholderData: keepPreviousData });
}

export interface MovementQuery {
  readonly month: string;
  readonly kind: string;
  readonly cohort: string;
  readonly origin: string;
  readonly cause: string;
}

/** A page may be empty and have a next one: the list continues on request. */
export function useMovements(wanted: MovementQuery) {
  const query = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ""));
  return useInfiniteQuery({
    queryKey: [KEY, "movements", query],
    queryFn: ({ signal, pageParam }) =>
      apiGet<Movements>("/liability/movements", pageParam === "" ? query : { ...query, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });
}

/** A change of estimates or months, after which all reports are read again. */
export function useLiabilityChange<Body>(method: "PUT" | "POST", path: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => apiSend(method, path, body),
    onSuccess: async () => {
      onDone();
      await client.invalidateQueries({ queryKey: [KEY] });
    },
  });
}

/** Returns money of a report, a decimal of major units with all its digits, in minor units. */
export function minorOf(amount: string): number {
  return Number(amount.replace(".", ""));
}
