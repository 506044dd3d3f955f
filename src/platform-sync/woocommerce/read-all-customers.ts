import {
  customersOffset,
  customersPosition,
  customersRequest,
  isListOver,
} from "../../platforms/woocommerce/rest/lists.ts";
import type { ChangedPage, HistoryStart, PortDeps } from "../platform-port.ts";
import type { WooStore } from "./call-store.ts";
import { fetchList } from "./fetch-list.ts";

/** Reads all customers, the first registered first, from where an earlier run ended. */
export async function* readAllCustomers(
  deps: PortDeps,
  store: WooStore,
  { position, signal }: Pick<HistoryStart, "position"> & { readonly signal: AbortSignal },
): AsyncGenerator<ChangedPage> {
  let read = customersOffset(position);
  while (!signal.aborted) {
    const list = await fetchList(deps, store, customersRequest(read, "asc"), signal);
    read += list.resources.length;
    yield { resources: list.resources, changedAt: null, position: customersPosition(read) };
    if (isListOver(list, read)) return;
  }
}
