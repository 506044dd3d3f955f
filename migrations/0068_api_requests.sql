-- The request log of credentials: what each of them asked for within the last day. By the machine's clock; not audited.

create table api_request (
  credential_uid uuid not null,
  at timestamptz not null,                            -- when it was answered
  uid uuid not null,
  route text not null check (length(route) <= 200),   -- method and pattern, never the URL
  status smallint not null,
  duration_us integer not null,
  request_id text not null check (length(request_id) <= 128),
  primary key (credential_uid, at, uid));
create index api_request_refused on api_request (credential_uid, at, uid) where status >= 400;
create index api_request_pruned on api_request using brin (at);

create table api_request_unlisted (                   -- how many were answered beyond what is listed
  hour timestamptz not null,
  credential_uid uuid not null,
  requests bigint not null check (requests > 0),
  primary key (hour, credential_uid));
