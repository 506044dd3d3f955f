import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { apiSend } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Section } from "../../ui/layout/section.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { words } from "./recompute-words.ts";

type Task = OrderDetail["tasks"][number];

/** Tasks for staff, until they are done. */
export function OrderTasks({ order }: { order: OrderDetail }) {
  const t = useWords(words);
  if (order.tasks.length === 0) return null;
  return (
    <Section title={t.tasks}>
      <div className={classes["tasks"]}>
        {order.tasks.map((task) => (
          <TaskRow key={task.uid} task={task} orderId={order.order_id} />
        ))}
      </div>
    </Section>
  );
}

function TaskRow({ task, orderId }: { task: Task; orderId: string }) {
  const t = useWords(words);
  const format = useFormat();
  const { can } = useSession();
  const finish = useFinishTask(orderId);
  const says: Readonly<Record<string, (points: string) => string>> = t.taskKinds;
  const points = format.points(Math.abs(task.points));
  const isDone = task.done_at !== null;
  return (
    <div className={classes["task"]} data-done={isDone || undefined}>
      <span>
        {says[task.kind]?.(points) ?? task.kind} <Time at={task.created_at} />
      </span>
      {isDone ? <span>{t.doneBy(task.done_by ?? "—")}</span> : null}
      {!isDone && can("orders.recompute") ? (
        <Button variant="default" size="xs" loading={finish.isPending} onClick={() => finish.mutate(task.uid)}>
          {t.markDone}
        </Button>
      ) : null}
    </div>
  );
}

function useFinishTask(orderId: string) {
  const t = useWords(words);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uid: string) => apiSend("POST", `/orders/${encodeURIComponent(orderId)}/tasks/${uid}/done`),
    onSuccess: () => notifyDone(t.taskDone),
    onError: notifyFailed,
    onSettled: () => client.invalidateQueries({ queryKey: ["orders"] }),
  });
}
