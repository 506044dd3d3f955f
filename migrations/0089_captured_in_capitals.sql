-- A reservation that was captured by its id in capital letters lacks the version of its allotment, which `verify` compares. There are few or none.
update reservation r
set captured_version = a.version
from allotment a
where r.state = 'captured'
  and r.captured_version is null
  and a.bucket = r.bucket
  and a.customer_uid = r.customer_uid
  and a.source_key = 'hold/' || r.uid || '/1'
  and a.source_key not like 'api/%'; -- as its index says
