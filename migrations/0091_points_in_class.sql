-- A class of points may have very many customers, such as all who have the points of the signup: they are listed by these, written with the class and
-- by the daily walk. An award within the class leaves them as they are, so that it changes no index.
alter table figure_customer
  add column class_points bigint not null default 0;  -- the points when the class was found
