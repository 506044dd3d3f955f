import { customersRequest, isListOver, newestOf } from "../../platforms/woocommerce/rest/lists.ts";
import type { ChangedPage, PortDeps } from "../platform-port.ts";
import type { WooStore } from "./call-store.ts";
import { fetchList } from "./fetch-list.ts";

/** More new customers than these pages hold are not a day's, and the next run of `connect` reads them. */
const PAGES_MAX = 1_000;

/** Reads the customers who registered since a moment, the newest first; the mark moves when all are read. */
export async function* readNewCustomers(
  deps: PortDeps,
  store: WooStore,
  { since, signal }: { readonly since: Temporal.Instant; readonly signal: AbortSignal },
): AsyncGenerator<ChangedPage> {
  let newest: Temporal.Instant | null = null;
  let read = 0;
  for (let page = 0; page < PAGES_MAX && !signal.aborted; page++) {
    const list = await fetchList(deps, store, customersRequest(read, "desc"), signal);
    read += list.resources.length;
    const resources = list.resources.filter((customer) => {
      const at = newestOf([customer], "date_created_gmt");
      return at === null || Temporal.Instant.compare(at, since) >= 0;
    });
    newest ??= newestOf(resources, "date_created_gmt");
    const isLast = resources.length < list.resources.length || isListOver(list, read);
    yield { resources, changedAt: isLast ? newest : null };
    if (isLast) return;
  }
}
