"""What exists only for the experiments of the TokenSwift paper."""
