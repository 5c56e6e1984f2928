"""``python -m surveyauc`` is the command ``surveyauc``."""

from surveyauc.command import main

main()
