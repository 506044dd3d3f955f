import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ShownAdjustmentPreview } from "../../../src/admin/customers/schema.ts";
import { apiGet } from "../../api/client.ts";
import { DateText } from "../../ui/values/date-text.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useWords } from "../../words/use-words.ts";
import { type AdjustDraft, changeOf } from "./adjust-draft.ts";
import classes from "./customer.module.css";
import { ledgerWords } from "./ledger-words.ts";
import { NeedsApproval } from "./needs-approval.tsx";
import { refusalText } from "./refusal-text.ts";
import { customerKey, customerPath } from "./use-customer.ts";

const WAIT_MS = 200;

/** The effect of a draft, requested from the service shortly after the last keystroke. */
export function usePreview(id: string, draft: AdjustDraft): UseQueryResult<ShownAdjustmentPreview> {
  const change = changeOf(draft);
  const query = { ...change, extends_expiration: draft.kind !== "deduct" && draft.extends };
  const [asked] = useDebouncedValue(JSON.stringify(change === null ? null : query), WAIT_MS);
  return useQuery({
    queryKey: [...customerKey(id), "preview", asked],
    queryFn: async ({ signal }) =>
      (
        await apiGet<{ data: ShownAdjustmentPreview }>(
          `${customerPath(id)}/adjustment-preview`,
          JSON.parse(asked),
          signal,
        )
      ).data,
    enabled: asked !== "null" && change !== null,
    ...(change === null ? {} : { placeholderData: keepPreviousData }),
    staleTime: 0,
  });
}

/** Balance and expiry before and after. */
export function AdjustPreview({ preview }: { preview: UseQueryResult<ShownAdjustmentPreview> }) {
  const t = useWords(ledgerWords);
  const { data, isEnabled } = preview;
  return (
    <div className={classes["preview"]} role="status" aria-label={t.preview}>
      {data === undefined || !isEnabled ? (
        <span className={classes["quiet"]}>{t.noPreview}</span>
      ) : (
        <Effect preview={data} />
      )}
    </div>
  );
}

function Effect({ preview }: { preview: ShownAdjustmentPreview }) {
  const t = useWords(ledgerWords);
  const refusal = refusalText(preview.refusal, t);
  return (
    <>
      <span>
        {t.balance} <Points value={preview.balance_before} /> →{" "}
        <strong>
          <Points value={preview.balance_after} />
        </strong>{" "}
        (<Points value={preview.point_value} signed />)
      </span>
      <span>
        {t.expiry} <DateText at={preview.expires_before} />
        {preview.expires_after === preview.expires_before ? null : (
          <>
            {" → "}
            <DateText at={preview.expires_after} />
          </>
        )}
      </span>
      {refusal === null ? null : <p className={classes["bad"]}>{refusal}</p>}
      <NeedsApproval preview={preview} />
    </>
  );
}
