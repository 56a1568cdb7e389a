-- Whether a bot runs is seen by its session lock (rulings R7): nobody has to say again and again that it still does.
alter table telegram_service drop column told_at;
alter table discord_service drop column told_at;
