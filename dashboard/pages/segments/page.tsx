import { useParam } from "../../ui/urls/use-param.ts";
import { SegmentDetail } from "./segment-detail.tsx";
import { SegmentList } from "./segment-list.tsx";
import { SEGMENTS_QUERY } from "./use-segments.ts";

/** Segments; at the address of one, its customers and the actions on all of them. */
export function SegmentsPage() {
  const uid = useParam("uid");
  return uid === null || uid === "new" ? <SegmentList isNew={uid === "new"} /> : <SegmentDetail uid={uid} />;
}

SegmentsPage.prefetchedQueries = () => [SEGMENTS_QUERY];
