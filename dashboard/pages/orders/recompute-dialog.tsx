import { Button, Group, Modal, Skeleton } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RecomputedView } from "../../../src/admin/orders/schema.ts";
import { apiGet, apiSend } from "../../api/client.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { RecomputeDifference } from "./recompute-difference.tsx";
import { words } from "./recompute-words.ts";

interface RecomputeDialogProps {
  orderId: string;
  onClose(): void;
}

/** Shows what recomputing would change, and stores exactly that. */
export function RecomputeDialog({ orderId, onClose }: RecomputeDialogProps) {
  const t = useWords(words);
  const path = `/orders/${encodeURIComponent(orderId)}/recompute`;
  const preview = useQuery({
    queryKey: ["orders", "recompute", orderId],
    queryFn: ({ signal }) => apiGet<{ data: RecomputedView }>(path, {}, signal),
    gcTime: 0,
    staleTime: 0,
  });
  const write = useWrite(path, () => void preview.refetch());
  const post = (digest: string) => write.mutate(digest, { onSuccess: onClose }); // not called any more once this dialog is closed
  const shown = preview.data?.data;
  return (
    <Modal opened onClose={onClose} title={t.recomputeTitle} size="lg" closeButtonProps={{ "aria-label": t.close }}>
      <div className={classes["dialog"]}>
        <p className={classes["quiet"]}>{t.recomputeHint}</p>
        {preview.error === null ? null : <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
        {shown === undefined && preview.error === null ? <Skeleton height={160} /> : null}
        {shown?.is_changed === false ? <p>{t.nothingToChange}</p> : null}
        {shown?.is_changed === true ? <RecomputeDifference shown={shown} /> : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.close}
          </Button>
          {shown?.is_changed === true ? (
            <Button loading={write.isPending} disabled={preview.isFetching} onClick={() => post(shown.digest)}>
              {t.write}
            </Button>
          ) : null}
        </Group>
      </div>
    </Modal>
  );
}

function useWrite(path: string, onStale: () => void) {
  const t = useWords(words);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (digest: string) => apiSend<{ data: RecomputedView }>("POST", path, { digest }),
    onSuccess: ({ data }) => notifyDone(data.is_changed ? t.written : t.unchanged),
    onError: (error) => {
      if (faultOf(error, "/digest") === null) return notifyFailed(error);
      notifyDone(t.changedMeanwhile);
      onStale();
    },
    onSettled: async () => {
      await Promise.all(["list", "one"].map((part) => client.invalidateQueries({ queryKey: ["orders", part] })));
      await client.invalidateQueries({ queryKey: ["ledger"] });
    },
  });
}
