"""What servers refuse, rule by rule, and how it is mended."""
