-- Jobs and session locks took their place (docs/decisions/0030).
drop table leases;
